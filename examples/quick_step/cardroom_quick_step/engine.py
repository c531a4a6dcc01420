"""Quick Step: all lay at once, each card a step above or below the last. Without cards you win.

A small race for two to four: nobody waits for a turn, and the faster one is first. Read it from top to bottom: what
players may set and do, what the log holds, the state and how much of it each reader may know, the rules.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias, assert_never

from engines.cards import Card, in_order, pack
from engines.chance import Chance
from engines.common_facts import CountDealt, NobodyKnows, OwnersOnly
from engines.game import (
    Act,
    Choices,
    Closed,
    Event,
    Facts,
    Game,
    GameInfo,
    IllegalAction,
    Outcome,
    Pack,
    Private,
    Refusal,
    Resign,
    Seat,
    Seconds,
    Timer,
    TimeUp,
    Unnarrated,
    Window,
)
from engines.guards import check, check_on, check_time_up, seated
from engines.hands import check_holds
from engines.notation import read_common, write_common
from engines.options import Choosable, number
from engines.places import places
from engines.run import Run
from engines.values import put, replace

Cards: TypeAlias = tuple[Card, ...]

PACK: Final = Pack("french52", pack(range(1, 14)))
SEATS: Final = range(2, 5)
COUNTDOWN: Final = 5
"""Seconds before GO (QS-2)."""
MOST_MISSED: Final = 3
"""Cards that may be turned up since a seat last did something (QS-6)."""


# ---------------------------------------------------------------------------------------------- options and acts


@dataclass(frozen=True, slots=True)
class Options(Choosable):
    """What players may set: how many cards each is dealt, and after how many seconds a card is turned up (QS-4)."""

    cards: int = number(8, 4, 12)
    seconds: int = number(10, 5, 600, step=5)


@dataclass(frozen=True, slots=True)
class Lay:
    """Lay a card of your hand on the pile."""

    card: Card


@dataclass(frozen=True, slots=True)
class Call:
    """Call for the next card of the stock."""


Action: TypeAlias = Lay | Call


# ---------------------------------------------------------------------------------------------- facts


@dataclass(frozen=True, slots=True)
class HandDealt(OwnersOnly, Unnarrated):
    """A seat's cards. Only that seat may know them; the others see how many there are."""

    seat: Seat
    cards: Cards

    def face(self) -> CountDealt:
        return CountDealt(self.seat, len(self.cards))


@dataclass(frozen=True, slots=True)
class StockLaid(NobodyKnows, Unnarrated):
    """The cards that were not dealt, top first. Nobody knows them."""

    cards: Cards


@dataclass(frozen=True, slots=True)
class CardTurned(Event):
    """The top card of the stock is turned up on the pile, and all calls are answered."""

    card: Card


@dataclass(frozen=True, slots=True)
class Go(Event):
    """GO."""


@dataclass(frozen=True, slots=True)
class CardLaid(Event):
    """A card laid on the pile."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class Called(Event):
    """A seat calls for the next card."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class SeatsLeft(Event):
    """Seats that are out together, by resignation or time. Their cards stay in their hands, out of play."""

    seats: tuple[Seat, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Ended(Unnarrated):
    """The end: emptied, stuck, resignation or time, and every seat's place (C-12)."""

    kind: str
    ranks: tuple[int, ...]


Fact: TypeAlias = HandDealt | StockLaid | CardTurned | Go | CardLaid | Called | SeatsLeft | Ended


# ---------------------------------------------------------------------------------------------- the table


@dataclass(frozen=True, slots=True)
class State:
    """Everything on the table, hidden cards included.

    Hands are sorted, the stock's top is first, the pile's top is last. `dealt` are the hands as they were dealt, by
    which a card's button keeps its place. `left[seat]` is 0 while a seat plays; else it counts in which order seats
    left. `missed[seat]` cards were turned up since the seat last laid or called.
    """

    options: Options
    hands: tuple[Cards, ...]
    dealt: tuple[Cards, ...]
    left: tuple[int, ...]
    missed: tuple[int, ...]
    stock: Cards = ()
    pile: Cards = ()
    called: frozenset[Seat] = frozenset()
    racing: bool = False
    ended: Ended | None = None

    @property
    def staying(self) -> tuple[Seat, ...]:
        """The seats that have not left."""
        return tuple([seat for seat, gone in enumerate(self.left) if not gone])


@dataclass(frozen=True, slots=True)
class Public:
    """What everybody may know. It has no field for a hidden card, so nobody can show one by mistake."""

    options: Options
    hands: tuple[int, ...]
    left: tuple[bool, ...]
    called: frozenset[Seat]
    stock: int
    top: Card
    racing: bool


@dataclass(frozen=True, slots=True)
class Own:
    """What a seat knows beside that: its hand, and all cards that it was dealt."""

    hand: Cards
    dealt: Cards


# ---------------------------------------------------------------------------------------------- what can be done


def fits(card: Card, top: Card) -> bool:
    """Whether a card may be laid on another: king and ace are next to each other (QS-3)."""
    return abs(card.rank - top.rank) in (1, 12)


NOT_YET: Final = Refusal("QS-2", "quick_step.refusal.not_yet")
CALLED_ALREADY: Final = Refusal("QS-4", "quick_step.refusal.called_already")
CALL: Final[Act[Action]] = Act("call", Call())


def refusal(state: State, seat: Seat, action: Action) -> Refusal | None:
    """Why a seat that holds what it would lay cannot act so now, or None."""
    if not state.racing:
        return NOT_YET
    match action:
        case Lay(card):
            top = state.pile[-1]
            return None if fits(card, top) else Refusal("QS-3", "quick_step.refusal.does_not_fit", {"top": top.name})
        case Call():
            return CALLED_ALREADY if seat in state.called else None


# ---------------------------------------------------------------------------------------------- the rules


class QuickStep(Game[State, Action, Fact, Options, Public, Own]):
    """The rules of Quick Step."""

    info = GameInfo(
        key="quick_step",
        title="Quick Step",
        seats=SEATS,
        rules_version=1,
        options=Options,
        presets={"default": Options()},
        actions=(Lay, Call),
        events=(HandDealt, StockLaid, CardTurned, Go, CardLaid, Called, SeatsLeft, Ended),
        # GO; a card comes on the pile by one act, and before it everybody may call, who has just laid once more;
        # everybody may leave.
        longest=1 + 52 * (2 + SEATS[-1]) + SEATS[-1],
        turn_clock=False,
    )

    def pack(self, options: Options, seats: int) -> Pack:  # noqa: ARG002  one pack, whatever the options
        return PACK

    def start(self, options: Options, seats: int) -> State:
        if seats not in SEATS:
            raise ValueError("Quick Step is a game for two to four")
        nothing: tuple[Cards, ...] = ((),) * seats
        return State(options, hands=nothing, dealt=nothing, left=(0,) * seats, missed=(0,) * seats)

    def deal(self, state: State, chance: Chance) -> Facts[Fact, State]:
        """One card at a time, seat 0 first; the rest is the stock, and its top card is turned up."""
        seats = len(state.hands)
        dealt = seats * state.options.cards
        deck = chance.deck(PACK.cards)
        run = Run(self.evolve, state, chance)
        run.add(*[HandDealt(seat, deck[seat:dealt:seats]) for seat in range(seats)])
        return run.add(StockLaid(deck[dealt:]), CardTurned(deck[dealt])).facts

    def decide(
        self, state: State, actor: Seat | None, action: Action | TimeUp | Resign, chance: Chance
    ) -> Facts[Fact, State]:
        check_on(state.ended)
        run = Run(self.evolve, state, chance)
        if isinstance(action, TimeUp):
            check_time_up(actor, action, (_timer(state),))
            _time_up(run)
            return run.facts
        seat = seated(actor, len(state.hands))
        if state.left[seat]:
            raise IllegalAction("C-4", "quick_step.refusal.out")
        match action:
            case Resign():
                _leave(run, (seat,), "resignation")
            case Lay(card):
                check_holds(state.hands[seat], card)
                check(refusal(state, seat, action))
                run.add(CardLaid(seat, card))
            case Call():
                check(refusal(state, seat, action))
                run.add(Called(seat))
        _go_on(run)
        return run.facts

    def evolve(self, state: State, event: Fact) -> State:  # noqa: PLR0911  one case per fact
        match event:
            case HandDealt(seat, cards):
                hand = in_order(cards)
                return replace(state, hands=put(state.hands, seat, hand), dealt=put(state.dealt, seat, hand))
            case StockLaid(cards):
                return replace(state, stock=cards)
            case CardTurned(card):
                missed = tuple([1 + each for each in state.missed])
                return replace(
                    state, stock=state.stock[1:], pile=(*state.pile, card), missed=missed, called=frozenset()
                )
            case Go():
                return replace(state, racing=True)
            case CardLaid(seat, card):
                hand = tuple([other for other in state.hands[seat] if other != card])
                return replace(
                    state,
                    hands=put(state.hands, seat, hand),
                    pile=(*state.pile, card),
                    missed=put(state.missed, seat, 0),
                    called=state.called - {seat},
                )
            case Called(seat):
                return replace(state, missed=put(state.missed, seat, 0), called=state.called | {seat})
            case SeatsLeft(seats, _):
                last = 1 + max(state.left)
                return replace(state, left=tuple([last if seat in seats else at for seat, at in enumerate(state.left)]))
            case Ended():
                return replace(state, ended=event)
            case _:
                assert_never(event)

    def window(self, state: State) -> Window | None:
        """One question for the whole race, so that a press is never too late for it: the rules judge each."""
        if state.ended is not None:
            return None
        return Window(1, frozenset(state.staying if state.racing else ()), frozenset(), (_timer(state),))

    def choices(self, state: State, seat: Seat) -> Choices[Action]:
        """Also what cannot be done now may be tried: once it is judged, another card may lie on top."""
        if state.ended is not None or state.left[seat]:
            return Choices()
        held = [(index, card) for index, card in enumerate(state.dealt[seat]) if card in state.hands[seat]]
        lays: list[Act[Action]] = [Act(f"lay{index}", Lay(card)) for index, card in held]
        judged = [(act, refusal(state, seat, act.action)) for act in (*lays, CALL)]
        return Choices(
            tuple([act for act, why in judged if why is None]),
            tuple([Closed(act.verb, why, act) for act, why in judged if why is not None]),
        )

    def observe_public(self, state: State) -> Public:
        return Public(
            options=state.options,
            hands=tuple([len(hand) for hand in state.hands]),
            left=tuple([bool(gone) for gone in state.left]),
            called=state.called,
            stock=len(state.stock),
            top=state.pile[-1],
            racing=state.racing,
        )

    def observe(self, state: State, seat: Seat) -> Private[Public, Own]:
        return Private(seat, self.observe_public(state), Own(state.hands[seat], state.dealt[seat]))

    def outcome(self, state: State) -> Outcome | None:
        return None if state.ended is None else Outcome(state.ended.kind, state.ended.ranks)

    def write(self, action: Action | TimeUp | Resign) -> str:
        match action:
            case Lay(card):
                return f"lay {card.code}"
            case Call():
                return "call"
        return write_common(action)

    def read(self, text: str) -> Action | TimeUp | Resign:
        match text.split(" "):
            case ["lay", code]:
                return Lay(Card.of(code))
            case ["call"]:
                return Call()
        return read_common(text)


def _timer(state: State) -> Timer:
    """To GO, then from each new top card to the next one. It says nothing about what anybody holds."""
    if not state.racing:
        return Timer("go", "1", Seconds(COUNTDOWN))
    return Timer("next", str(len(state.pile)), Seconds(state.options.seconds))


def _time_up(run: Run[Fact, State]) -> None:
    """GO; or those who do nothing are out (QS-6), and the next card is turned up (QS-4)."""
    state = run.state
    if not state.racing:
        run.add(Go())
        return
    absent = tuple([seat for seat in state.staying if state.missed[seat] >= MOST_MISSED])
    if absent:
        _leave(run, absent, "time")
    if run.state.ended is None:
        _turn(run)


def _leave(run: Run[Fact, State], seats: tuple[Seat, ...], reason: str) -> None:
    """Seats leave (C-4, C-5). The last one left wins."""
    run.add(SeatsLeft(seats, reason))
    if len(run.state.staying) < 2:
        _end(run, reason)


def _go_on(run: Run[Fact, State]) -> None:
    """After an act: the end if a hand is empty (QS-5), or the next card if all have called for it (QS-4)."""
    state = run.state
    if state.ended is not None:
        return
    if not all(state.hands):
        _end(run, "emptied")
    elif state.called.issuperset(state.staying):
        _turn(run)


def _turn(run: Run[Fact, State]) -> None:
    """Turn the next card up; without one the match is over (QS-5)."""
    if run.state.stock:
        run.add(CardTurned(run.state.stock[0]))
    else:
        _end(run, "stuck")


def _end(run: Run[Fact, State], kind: str) -> None:
    """End the match: of those who played on, the fewer cards are above (QS-5, C-12)."""
    run.add(Ended(kind, places([-len(hand) for hand in run.state.hands], run.state.left)))
