"""Last Card: play a card of the top card's suit or rank, or draw one. Without cards you win.

A small game for two to four, with turns, cards picked from a hand, a pile to draw from, and an order at the end. Read
it from top to bottom: what players may set and do, what the log holds, the state and how much of it each reader may
know, what can be picked, the rules.
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
    Timer,
    TimeUp,
    Unnarrated,
    Window,
)
from engines.guards import check, check_on, check_time_up, check_turn, seated
from engines.hands import CardPick, cards_at, check_held
from engines.notation import read_cards, read_common, write_cards, write_common
from engines.options import Choosable, number
from engines.places import places
from engines.run import Run
from engines.values import put, replace

Cards: TypeAlias = tuple[Card, ...]

PACK: Final = Pack("french52", pack(range(1, 14)))
SEATS: Final = range(2, 5)


# ---------------------------------------------------------------------------------------------- options and acts


@dataclass(frozen=True, slots=True)
class Options(Choosable):
    """What players may set: how many cards each is dealt."""

    cards: int = number(5, 3, 7)


@dataclass(frozen=True, slots=True)
class Play:
    """Play a card of your hand on the heap. It is a tuple, as everything that is picked: more than one is refused."""

    cards: Cards


@dataclass(frozen=True, slots=True)
class Draw:
    """Draw the top card of the pile."""


@dataclass(frozen=True, slots=True)
class Pass:
    """Pass, once there is nothing left to draw."""


Action: TypeAlias = Play | Draw | Pass


# ---------------------------------------------------------------------------------------------- facts


@dataclass(frozen=True, slots=True)
class HandDealt(OwnersOnly, Unnarrated):
    """A seat's cards. Only that seat may know them; the others see how many there are."""

    seat: Seat
    cards: Cards

    def face(self) -> CountDealt:
        return CountDealt(self.seat, len(self.cards))


@dataclass(frozen=True, slots=True)
class PileLaid(NobodyKnows, Unnarrated):
    """The pile to draw from, top first. Nobody knows its order."""

    cards: Cards


@dataclass(frozen=True, slots=True)
class HeapBegun(Unnarrated):
    """The card that was turned up first."""

    card: Card


@dataclass(frozen=True, slots=True)
class TurnBegun(Unnarrated):
    """It is this seat's turn; the first one is drawn (LC-2)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class CardPlayed(Event):
    """A card played on the heap."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class CardDrawn(OwnersOnly):
    """A card drawn from the pile. Its owner knows which; the others see that there is one."""

    seat: Seat
    card: Card

    def face(self) -> BackDrawn:
        return BackDrawn(self.seat)


@dataclass(frozen=True, slots=True)
class Passed(Event):
    """A turn without an act."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class SeatLeft(Event):
    """A seat is out, by resignation or time. Its cards stay in its hand, out of play."""

    seat: Seat
    reason: str


@dataclass(frozen=True, slots=True)
class Ended(Unnarrated):
    """The end: emptied, stuck, resignation or time, and every seat's place (C-12)."""

    kind: str
    ranks: tuple[int, ...]


Fact: TypeAlias = HandDealt | PileLaid | HeapBegun | TurnBegun | CardPlayed | CardDrawn | Passed | SeatLeft | Ended
"""All facts that a log can hold. What the others see of a drawn card is only shown, never kept."""


@dataclass(frozen=True, slots=True)
class BackDrawn(Event):
    """What the others see of `CardDrawn`."""

    seat: Seat


# ---------------------------------------------------------------------------------------------- the table


@dataclass(frozen=True, slots=True)
class State:
    """Everything on the table, hidden cards included.

    Hands are sorted. The pile's top is first, the heap's top is last. `left[seat]` is 0 while a seat plays; else it
    counts in which order seats left. `passes` were made in a row.
    """

    options: Options
    hands: tuple[Cards, ...]
    left: tuple[int, ...]
    pile: Cards = ()
    heap: Cards = ()
    turn: Seat = 0
    passes: int = 0
    window: int = 0
    ended: Ended | None = None

    @property
    def staying(self) -> tuple[Seat, ...]:
        """The seats that have not left."""
        return tuple([seat for seat, gone in enumerate(self.left) if not gone])

    def next_seat(self) -> Seat:
        """The next seat that has not left."""
        seats = len(self.hands)
        return next(each % seats for each in range(self.turn + 1, self.turn + 1 + seats) if not self.left[each % seats])


@dataclass(frozen=True, slots=True)
class Public:
    """What everybody may know. It has no field for a hidden card, so nobody can show one by mistake."""

    options: Options
    hands: tuple[int, ...]
    left: tuple[bool, ...]
    pile: int
    heap: Cards
    turn: Seat


@dataclass(frozen=True, slots=True)
class Own:
    """What a seat knows beside that: its hand."""

    hand: Cards


# ---------------------------------------------------------------------------------------------- what can be picked


def fits(card: Card, top: Card) -> bool:
    """Whether a card may be played on another (LC-3)."""
    return card.suit is top.suit or card.rank == top.rank


def play_refusal(cards: Cards, top: Card) -> Refusal | None:
    """Why these cards cannot be played now, or None."""
    if len(cards) != 1:
        return Refusal("LC-3", "last_card.refusal.one_card" if cards else "last_card.refusal.pick_a_card")
    return None if fits(cards[0], top) else Refusal("LC-3", "last_card.refusal.does_not_fit", {"top": top.name})


@dataclass(frozen=True, slots=True)
class PlayPick(CardPick[Play, Card]):
    """One card of the hand that fits the top of the heap. `worth` has the card, empty for none."""

    hand: Cards
    top: Card
    verb = "play"

    def refusal(self, cards: Cards) -> Refusal | None:
        return play_refusal(cards, self.top)

    def worth(self, cards: Cards) -> dict[str, str | int]:
        return {"card": cards[0].name if cards else ""}

    def action(self, picked: tuple[int, ...]) -> Play:
        return Play(cards_at(self.hand, picked))


NO_PILE: Final = Refusal("LC-4", "last_card.refusal.no_pile")
MUST_DRAW: Final = Refusal("LC-4", "last_card.refusal.must_draw")


# ---------------------------------------------------------------------------------------------- the rules


class LastCard(Game[State, Action, Fact, Options, Public, Own]):
    """The rules of Last Card."""

    info = GameInfo(
        key="last_card",
        title="Last Card",
        seats=SEATS,
        rules_version=1,
        options=Options,
        presets={"default": Options()},
        actions=(Play, Draw, Pass),
        events=(HandDealt, PileLaid, HeapBegun, TurnBegun, CardPlayed, CardDrawn, Passed, SeatLeft, Ended),
        # Each card is drawn once and played once at most. After each play all others may pass, and everybody may leave.
        longest=52 + 52 * SEATS[-1] + SEATS[-1],
        seat_time=True,
    )

    def pack(self, options: Options, seats: int) -> Pack:  # noqa: ARG002  one pack, whatever the options
        return PACK

    def start(self, options: Options, seats: int) -> State:
        if seats not in SEATS:
            raise ValueError("Last Card is a game for two to four")
        return State(options, ((),) * seats, (0,) * seats)

    def deal(self, state: State, chance: Chance) -> Facts[Fact, State]:
        """One card at a time, seat 0 first; the next card is turned up, and the rest is the pile."""
        seats = len(state.hands)
        dealt = seats * state.options.cards
        deck = chance.deck(PACK.cards)
        run = Run(self.evolve, state, chance)
        run.add(*[HandDealt(seat, deck[seat:dealt:seats]) for seat in range(seats)])
        run.add(HeapBegun(deck[dealt]), PileLaid(deck[dealt + 1 :]))
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
        seat = seated(actor, len(state.hands))
        if state.left[seat]:
            raise IllegalAction("C-4", "last_card.refusal.out")
        if isinstance(action, Resign):
            _leave(run, seat, "resignation")
            return run.facts
        check_turn(seat, state.turn)
        _act(run, seat, action)
        return run.facts

    def evolve(self, state: State, event: Fact) -> State:  # noqa: PLR0911  one case per fact
        match event:
            case HandDealt(seat, cards):
                return replace(state, hands=put(state.hands, seat, in_order(cards)))
            case PileLaid(cards):
                return replace(state, pile=cards)
            case HeapBegun(card):
                return replace(state, heap=(card,))
            case TurnBegun(seat):
                return replace(state, turn=seat, window=state.window + 1)
            case CardPlayed(seat, card):
                hand = tuple([other for other in state.hands[seat] if other != card])
                return replace(state, hands=put(state.hands, seat, hand), heap=(*state.heap, card), passes=0)
            case CardDrawn(seat, card):
                hands = put(state.hands, seat, in_order((*state.hands[seat], card)))
                return replace(state, hands=hands, pile=state.pile[1:])
            case Passed():
                return replace(state, passes=state.passes + 1)
            case SeatLeft(seat, _):
                return replace(state, left=put(state.left, seat, 1 + max(state.left)))
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
        play = PlayPick(state.hands[seat], state.heap[-1])
        if state.pile:
            return Choices((play, Act("draw", Draw())), (Closed("pass", MUST_DRAW),))
        return Choices((play, Act("pass", Pass())), (Closed("draw", NO_PILE),))

    def observe_public(self, state: State) -> Public:
        return Public(
            options=state.options,
            hands=tuple([len(hand) for hand in state.hands]),
            left=tuple([bool(gone) for gone in state.left]),
            pile=len(state.pile),
            heap=state.heap,
            turn=state.turn,
        )

    def observe(self, state: State, seat: Seat) -> Private[Public, Own]:
        return Private(seat, self.observe_public(state), Own(state.hands[seat]))

    def outcome(self, state: State) -> Outcome | None:
        return None if state.ended is None else Outcome(state.ended.kind, state.ended.ranks)

    def write(self, action: Action | TimeUp | Resign) -> str:
        match action:
            case Play(cards):
                return f"play {write_cards(cards)}"
            case Draw():
                return "draw"
            case Pass():
                return "pass"
        return write_common(action)

    def read(self, text: str) -> Action | TimeUp | Resign:
        match text.split(" "):
            case ["play", codes]:
                return Play(read_cards(codes))
            case ["draw"]:
                return Draw()
            case ["pass"]:
                return Pass()
        return read_common(text)


def _timer(state: State) -> Timer:
    return Timer.of_turn(state.window)


def _act(run: Run[Fact, State], seat: Seat, action: Action) -> None:
    """Work out an act of the seat whose turn it is, then begin the next turn. Raises IllegalAction."""
    state = run.state
    match action:
        case Play(cards):
            check_held(state.hands[seat], cards)
            check(play_refusal(cards, state.heap[-1]))
            run.add(CardPlayed(seat, cards[0]))
            if not run.state.hands[seat]:
                _end(run, "emptied")
                return
        case Draw():
            check(None if state.pile else NO_PILE)
            run.add(CardDrawn(seat, state.pile[0]))
        case Pass():
            check(MUST_DRAW if state.pile else None)
            run.add(Passed(seat))
    _next_turn(run)


def _leave(run: Run[Fact, State], seat: Seat, reason: str) -> None:
    """A seat leaves (C-4, C-5). The last one left wins; if it was the seat's turn, the next one is on."""
    run.add(SeatLeft(seat, reason))
    if len(run.state.staying) == 1:
        _end(run, reason)
    elif seat == run.state.turn:
        _next_turn(run)


def _next_turn(run: Run[Fact, State]) -> None:
    """Begin the next seat's turn; if all have passed in a row, the match is over (LC-5)."""
    if run.state.passes >= len(run.state.staying):
        _end(run, "stuck")
    else:
        run.add(TurnBegun(run.state.next_seat()))


def _end(run: Run[Fact, State], kind: str) -> None:
    """End the match: of those who played on, the fewer cards are above (LC-5, C-12)."""
    run.add(Ended(kind, places([-len(hand) for hand in run.state.hands], run.state.left)))
