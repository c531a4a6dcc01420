"""Hidden Face: everybody has one hidden card. Name somebody, guess their card, and they are out.

A small game for three to five, with turns, targets, a guess, and seats that the rules knock out. Read it from top to
bottom: what players may set and do, what the log holds, the state and how much of it each reader may know, the rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final, TypeAlias, assert_never

from engines.cards import Card, pack
from engines.chance import Chance
from engines.common_facts import NobodyKnows, OwnersOnly
from engines.game import (
    Act,
    Choices,
    Event,
    Facts,
    Game,
    GameInfo,
    IllegalAction,
    Outcome,
    Pack,
    Private,
    Resign,
    Seat,
    Timer,
    TimeUp,
    Unnarrated,
    Window,
)
from engines.guards import check_asked, check_on, check_time_up, check_turn, seated
from engines.notation import read_common, write_common
from engines.options import Choosable, number
from engines.places import places
from engines.run import Run
from engines.values import put, replace

RANKS: Final = range(2, 10)
PACK: Final = Pack("hidden_face32", pack(RANKS))
SEATS: Final = range(3, 6)
MOST_ROUNDS: Final = 6


class Phase(Enum):
    """What the seat whose turn it is has to do."""

    NAME = "name"
    GUESS = "guess"


class Answer(Enum):
    """What is said of a guess (HF-3)."""

    RIGHT = "right"
    HIGHER = "higher"
    LOWER = "lower"


# ---------------------------------------------------------------------------------------------- options and acts


@dataclass(frozen=True, slots=True)
class Options(Choosable):
    """What players may set: how many turns each of them has."""

    rounds: int = number(3, 1, MOST_ROUNDS)


@dataclass(frozen=True, slots=True)
class Name:
    """Name the seat whose card you are going to guess."""

    target: Seat


@dataclass(frozen=True, slots=True)
class Guess:
    """Guess the rank of the named seat's card."""

    rank: int


Action: TypeAlias = Name | Guess
ASKS: Final[dict[type, Phase]] = {Name: Phase.NAME, Guess: Phase.GUESS}


# ---------------------------------------------------------------------------------------------- facts


@dataclass(frozen=True, slots=True)
class FaceDealt(OwnersOnly, Unnarrated):
    """A seat's card. Only that seat may know it; that everybody has one goes without saying."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class StockLaid(NobodyKnows, Unnarrated):
    """The cards that were not dealt. Nobody ever knows them."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class TurnBegun(Unnarrated):
    """It is this seat's turn; the first one is drawn (HF-2)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class TargetNamed(Event):
    """Whose card will be guessed."""

    seat: Seat
    target: Seat


@dataclass(frozen=True, slots=True)
class Guessed(Event):
    """A guess, and whether the card is this rank, or higher, or lower (HF-3)."""

    seat: Seat
    target: Seat
    rank: int
    answer: Answer


@dataclass(frozen=True, slots=True)
class Unmasked(Event):
    """A seat whose card was guessed is knocked out and shows it (HF-4)."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class SeatLeft(Event):
    """A seat is out, by resignation or time. Its card stays face down (HF-6)."""

    seat: Seat
    reason: str


@dataclass(frozen=True, slots=True)
class FaceShown(Event):
    """After the last round, a seat that is still in shows its card (HF-5)."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class Ended(Unnarrated):
    """The end: unmasked, highest, resignation or time, and every seat's place (C-12)."""

    kind: str
    ranks: tuple[int, ...]


Fact: TypeAlias = FaceDealt | StockLaid | TurnBegun | TargetNamed | Guessed | Unmasked | SeatLeft | FaceShown | Ended
"""All facts that a log can hold."""


# ---------------------------------------------------------------------------------------------- the table


@dataclass(frozen=True, slots=True)
class State:
    """Everything on the table, hidden cards included.

    `faces[seat]` is its card. `knocked_out[seat]` and `left[seat]` are 0 while it is in; else they count in which order
    seats were knocked out, or left. `bounds[seat]` are the lowest and the highest rank that guesses have left open.
    """

    options: Options
    faces: tuple[Card | None, ...]
    stock: tuple[Card, ...]
    turns: tuple[int, ...]
    knocked_out: tuple[int, ...]
    left: tuple[int, ...]
    bounds: tuple[tuple[int, int], ...]
    shown: frozenset[Seat] = frozenset()
    turn: Seat = 0
    phase: Phase = Phase.NAME
    target: Seat | None = None
    window: int = 0
    ended: Ended | None = None

    @property
    def staying(self) -> tuple[Seat, ...]:
        """The seats that are still in."""
        return tuple([seat for seat, gone in enumerate(self.left) if not gone and not self.knocked_out[seat]])

    def next_seat(self) -> Seat:
        """The next seat that is still in."""
        seats = len(self.faces)
        return next(
            each % seats for each in range(self.turn + 1, self.turn + 1 + seats) if each % seats in self.staying
        )


@dataclass(frozen=True, slots=True)
class Public:
    """What everybody may know. It has no field for a hidden card, so nobody can show one by mistake."""

    options: Options
    shown: tuple[Card | None, ...]
    turns: tuple[int, ...]
    staying: tuple[Seat, ...]
    left: tuple[bool, ...]
    bounds: tuple[tuple[int, int], ...]
    turn: Seat
    phase: Phase
    target: Seat | None


@dataclass(frozen=True, slots=True)
class Own:
    """What a seat knows beside that: its card."""

    face: Card | None


# ---------------------------------------------------------------------------------------------- the rules


class HiddenFace(Game[State, Action, Fact, Options, Public, Own]):
    """The rules of Hidden Face."""

    info = GameInfo(
        key="hidden_face",
        title="Hidden Face",
        seats=SEATS,
        rules_version=1,
        options=Options,
        presets={"default": Options()},
        actions=(Name, Guess),
        events=(FaceDealt, StockLaid, TurnBegun, TargetNamed, Guessed, Unmasked, SeatLeft, FaceShown, Ended),
        # Each turn has two acts. Everybody but one may leave, and the seat that had named them names another then.
        longest=2 * MOST_ROUNDS * SEATS[-1] + 2 * SEATS[-1],
        seat_time=True,
        shortest_counted=2,  # a right guess is two acts, and with three players the second one ends the match
    )

    def pack(self, options: Options, seats: int) -> Pack:  # noqa: ARG002  one pack, whatever the options
        return PACK

    def start(self, options: Options, seats: int) -> State:
        if seats not in SEATS:
            raise ValueError("Hidden Face is a game for three to five")
        never = (0,) * seats
        return State(options, (None,) * seats, (), never, never, never, ((RANKS[0], RANKS[-1]),) * seats)

    def deal(self, state: State, chance: Chance) -> Facts[Fact, State]:
        """One card each, seat 0 first; the rest is the stock. Then the first player is drawn."""
        seats = len(state.faces)
        deck = chance.deck(PACK.cards)
        run = Run(self.evolve, state, chance)
        run.add(*[FaceDealt(seat, deck[seat]) for seat in range(seats)], StockLaid(deck[seats:]))
        return run.add(TurnBegun(chance.first_seat(seats))).facts

    def decide(
        self, state: State, actor: Seat | None, action: Action | TimeUp | Resign, chance: Chance
    ) -> Facts[Fact, State]:
        check_on(state.ended)
        run = Run(self.evolve, state, chance)
        if isinstance(action, TimeUp):
            check_time_up(actor, action, (_timer(state),), (state.turn,))
            _leave(run, state.turn, "time")
            return run.facts
        seat = seated(actor, len(state.faces))
        if seat not in state.staying:
            raise IllegalAction("C-4", "hidden_face.refusal.out")
        if isinstance(action, Resign):
            _leave(run, seat, "resignation")
            return run.facts
        check_turn(seat, state.turn)
        check_asked("hidden_face", ASKS[type(action)], state.phase)
        if isinstance(action, Name):
            if action.target == seat or action.target not in state.staying:
                raise IllegalAction("HF-2", "hidden_face.refusal.no_target")
            return run.add(TargetNamed(seat, action.target)).facts
        if action.rank not in RANKS:
            raise IllegalAction("HF-3", "hidden_face.refusal.no_rank")
        _guess(run, action.rank)
        return run.facts

    def evolve(self, state: State, event: Fact) -> State:  # noqa: PLR0911  one case per fact
        match event:
            case FaceDealt(seat, card):
                return replace(state, faces=put(state.faces, seat, card))
            case StockLaid(cards):
                return replace(state, stock=cards)
            case TurnBegun(seat):
                turns = put(state.turns, seat, state.turns[seat] + 1)
                return _asking(replace(state, turn=seat, turns=turns), Phase.NAME, None)
            case TargetNamed(_, target):
                return _asking(state, Phase.GUESS, target)
            case Guessed(_, target, rank, answer):
                return replace(state, bounds=put(state.bounds, target, _narrowed(state.bounds[target], rank, answer)))
            case Unmasked(seat, _):
                knocked_out = put(state.knocked_out, seat, 1 + max(state.knocked_out))
                return replace(state, knocked_out=knocked_out, shown=state.shown | {seat})
            case SeatLeft(seat, _):
                without = replace(state, left=put(state.left, seat, 1 + max(state.left)))
                return _asking(without, Phase.NAME, None) if seat == state.target else without
            case FaceShown(seat, _):
                return replace(state, shown=state.shown | {seat})
            case Ended():
                return replace(state, ended=event)
            case _:
                assert_never(event)

    def window(self, state: State) -> Window | None:
        if state.ended is not None:
            return None
        return Window.asking(state.window, frozenset({state.turn}), _timer(state))

    def choices(self, state: State, seat: Seat) -> Choices[Action]:
        if state.ended is not None or seat != state.turn:
            return Choices()
        if state.phase is Phase.NAME:
            return Choices(tuple([Act(f"name{each}", Name(each)) for each in state.staying if each != seat]))
        return Choices(tuple([Act(f"guess{rank}", Guess(rank)) for rank in RANKS]))

    def observe_public(self, state: State) -> Public:
        return Public(
            options=state.options,
            shown=tuple([face if seat in state.shown else None for seat, face in enumerate(state.faces)]),
            turns=state.turns,
            staying=state.staying,
            left=tuple([bool(gone) for gone in state.left]),
            bounds=state.bounds,
            turn=state.turn,
            phase=state.phase,
            target=state.target,
        )

    def observe(self, state: State, seat: Seat) -> Private[Public, Own]:
        return Private(seat, self.observe_public(state), Own(state.faces[seat]))

    def outcome(self, state: State) -> Outcome | None:
        return None if state.ended is None else Outcome(state.ended.kind, state.ended.ranks)

    def write(self, action: Action | TimeUp | Resign) -> str:
        match action:
            case Name(target):
                return f"name {target}"
            case Guess(rank):
                return f"guess {rank}"
        return write_common(action)

    def read(self, text: str) -> Action | TimeUp | Resign:
        match text.split(" "):
            case ["name", target] if target.isascii() and target.isdigit():
                return Name(int(target))
            case ["guess", rank] if rank.isascii() and rank.isdigit():
                return Guess(int(rank))
        return read_common(text)


def _timer(state: State) -> Timer:
    return Timer.of_turn(state.window)


def _asking(state: State, phase: Phase, target: Seat | None) -> State:
    """The state in which another question is asked."""
    return replace(state, phase=phase, target=target, window=state.window + 1)


def _narrowed(bounds: tuple[int, int], rank: int, answer: Answer) -> tuple[int, int]:
    """What is left open after an answer."""
    lowest, highest = bounds
    match answer:
        case Answer.RIGHT:
            return rank, rank
        case Answer.HIGHER:
            return max(lowest, rank + 1), highest
        case Answer.LOWER:
            return lowest, min(highest, rank - 1)


def _guess(run: Run[Fact, State], rank: int) -> None:
    """Answer a guess (HF-3), then it is the next seat's turn, or the match is over (HF-4, HF-5)."""
    state = run.state
    target = state.target
    face = None if target is None else state.faces[target]
    if target is None or face is None:
        raise RuntimeError("nobody was named")
    answer = Answer.RIGHT if rank == face.rank else Answer.HIGHER if face.rank > rank else Answer.LOWER
    run.add(Guessed(state.turn, target, rank, answer))
    if answer is Answer.RIGHT:
        run.add(Unmasked(target, face))
    if len(run.state.staying) == 1:
        _end(run, "unmasked")
    else:
        _next_turn(run)


def _leave(run: Run[Fact, State], seat: Seat, reason: str) -> None:
    """A seat leaves (C-4, C-5). The last one left wins; if it was the seat's turn, the next one is on (HF-6)."""
    run.add(SeatLeft(seat, reason))
    if len(run.state.staying) == 1:
        _end(run, reason)
    elif seat == run.state.turn:
        _next_turn(run)


def _next_turn(run: Run[Fact, State]) -> None:
    """Begin the next seat's turn; if it has had all its turns, those who are still in show their cards (HF-5)."""
    seat = run.state.next_seat()
    if run.state.turns[seat] < run.state.options.rounds:
        run.add(TurnBegun(seat))
        return
    for each in run.state.staying:
        face = run.state.faces[each]
        if face is not None:
            run.add(FaceShown(each, face))
    _end(run, "highest")


def _end(run: Run[Fact, State], kind: str) -> None:
    """End the match: of those who are still in, the higher card is above (HF-5, C-12)."""
    merits: Sequence[Any] = [face.rank if face is not None else 0 for face in run.state.faces]
    run.add(Ended(kind, places(merits, run.state.left, run.state.knocked_out)))
