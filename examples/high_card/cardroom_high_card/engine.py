"""High Card: both players lay a card face down, and the higher one takes the trick.

The smallest game that shows every part of `engines.game`. Read it from top to bottom: what players may set and do,
what the log holds, the state and how much of it each reader may know, and last the rules.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias, assert_never

from engines.cards import Card, in_order, pack
from engines.chance import Chance
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
from engines.guards import check_on, check_time_up, seated
from engines.hands import check_holds
from engines.notation import read_common, write_common
from engines.options import Choosable, number
from engines.run import Run
from engines.values import put_of_two, replace

Cards: TypeAlias = tuple[Card, ...]

PACK: Final = Pack("french52", pack(range(1, 14)))
ACE: Final = 14
"""What an ace counts: more than a king, whose rank is 13 (HC-1)."""


def value(card: Card) -> int:
    """What a card counts in a trick (HC-1)."""
    return ACE if card.rank == 1 else card.rank


def taker(cards: tuple[Card, Card]) -> Seat | None:
    """The seat whose card takes the trick; None if both count the same (HC-3)."""
    first, second = map(value, cards)
    return None if first == second else 0 if first > second else 1


# ---------------------------------------------------------------------------------------------- options and acts


@dataclass(frozen=True, slots=True)
class Options(Choosable):
    """What players may set: how many tricks are played, which is also how many cards each is dealt."""

    tricks: int = number(5, 3, 9)


@dataclass(frozen=True, slots=True)
class Lay:
    """Lay this card of your hand face down."""

    card: Card


# ---------------------------------------------------------------------------------------------- facts


@dataclass(frozen=True, slots=True)
class HandDealt(Unnarrated):
    """A seat's cards. Only that seat may know them; the others see how many there are."""

    seat: Seat
    cards: Cards

    def audience(self) -> frozenset[Seat]:
        return frozenset({self.seat})

    def face(self) -> CountDealt:
        return CountDealt(self.seat, len(self.cards))


@dataclass(frozen=True, slots=True)
class StockLaid(Unnarrated):
    """The cards that were not dealt. Nobody ever knows them."""

    cards: Cards

    def audience(self) -> frozenset[Seat]:
        return frozenset()


@dataclass(frozen=True, slots=True)
class CardLaid(Unnarrated):
    """A card laid face down. Its owner knows which; the others see that there is one."""

    seat: Seat
    card: Card

    def audience(self) -> frozenset[Seat]:
        return frozenset({self.seat})

    def face(self) -> BackLaid:
        return BackLaid(self.seat)


@dataclass(frozen=True, slots=True)
class TrickShown(Event):
    """Both cards are turned up, by seat. The winner takes the trick; nobody does if it is None."""

    cards: tuple[Card, Card]
    winner: Seat | None


@dataclass(frozen=True, slots=True)
class Ended(Unnarrated):
    """The end: tricks, draw, resignation or time. Nobody wins a draw."""

    kind: str
    winner: Seat | None


Fact: TypeAlias = HandDealt | StockLaid | CardLaid | TrickShown | Ended
"""All facts that a log can hold. The two faces below are only shown, never kept."""


@dataclass(frozen=True, slots=True)
class CountDealt(Unnarrated):
    """What the others see of `HandDealt`."""

    seat: Seat
    count: int


@dataclass(frozen=True, slots=True)
class BackLaid(Event):
    """What the others see of `CardLaid`."""

    seat: Seat


# ---------------------------------------------------------------------------------------------- the table


@dataclass(frozen=True, slots=True)
class State:
    """Everything on the table, hidden cards included. A hand is sorted by suit and rank."""

    options: Options
    hands: tuple[Cards, Cards] = ((), ())
    stock: Cards = ()
    laid: tuple[Card | None, Card | None] = (None, None)
    tricks: tuple[TrickShown, ...] = ()
    ended: Ended | None = None

    @property
    def choosing(self) -> frozenset[Seat]:
        """The seats that have not laid their card yet."""
        return frozenset(seat for seat in (0, 1) if self.laid[seat] is None)

    @property
    def taken(self) -> tuple[int, int]:
        """How many tricks each seat has taken."""
        winners = [trick.winner for trick in self.tricks]
        return winners.count(0), winners.count(1)


@dataclass(frozen=True, slots=True)
class Public:
    """What everybody may know. It has no field for a hidden card, so nobody can show one by mistake."""

    options: Options
    hands: tuple[int, int]
    laid: tuple[bool, bool]
    tricks: tuple[TrickShown, ...]
    taken: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Own:
    """What a seat knows beside that: its hand, and the card it has laid."""

    hand: Cards
    laid: Card | None


# ---------------------------------------------------------------------------------------------- the rules


class HighCard(Game[State, Lay, Fact, Options, Public, Own]):
    """The rules of High Card."""

    info = GameInfo(
        key="high_card",
        title="High Card",
        seats=range(2, 3),
        rules_version=1,
        options=Options,
        presets={"default": Options()},
        actions=(Lay,),
        events=(HandDealt, StockLaid, CardLaid, TrickShown, Ended),
        # Nine tricks at most, two cards each. A resignation, or time that runs out, ends the match in place of a card.
        longest=2 * 9,
        seat_time=True,
    )

    def pack(self, options: Options, seats: int) -> Pack:  # noqa: ARG002  one pack, whatever the options
        return PACK

    def start(self, options: Options, seats: int) -> State:
        if seats not in self.info.seats:
            raise ValueError("High Card is a game for two")
        return State(options)

    def deal(self, state: State, chance: Chance) -> Facts[Fact, State]:
        """One card at a time, seat 0 first; the rest is the stock."""
        deck = chance.deck(PACK.cards)
        both = 2 * state.options.tricks
        run = Run(self.evolve, state, chance)
        return run.add(HandDealt(0, deck[0:both:2]), HandDealt(1, deck[1:both:2]), StockLaid(deck[both:])).facts

    def decide(
        self, state: State, actor: Seat | None, action: Lay | TimeUp | Resign, chance: Chance
    ) -> Facts[Fact, State]:
        check_on(state.ended)
        run = Run(self.evolve, state, chance)
        if isinstance(action, TimeUp):
            return run.add(_time_up(check_time_up(actor, action, (_timer(state),), state.choosing))).facts
        seat = seated(actor, len(state.hands))
        if isinstance(action, Resign):
            return run.add(Ended("resignation", 1 - seat)).facts
        if seat not in state.choosing:
            raise IllegalAction("HC-2", "high_card.refusal.already_laid")
        check_holds(state.hands[seat], action.card)
        _show(run.add(CardLaid(seat, action.card)))
        return run.facts

    def evolve(self, state: State, event: Fact) -> State:
        match event:
            case HandDealt(seat, cards):
                return replace(state, hands=put_of_two(state.hands, seat, in_order(cards)))
            case StockLaid(cards):
                return replace(state, stock=cards)
            case CardLaid(seat, card):
                hand = tuple([other for other in state.hands[seat] if other != card])
                laid = (card, state.laid[1]) if seat == 0 else (state.laid[0], card)
                return replace(state, hands=put_of_two(state.hands, seat, hand), laid=laid)
            case TrickShown():
                return replace(state, laid=(None, None), tricks=(*state.tricks, event))
            case Ended():
                return replace(state, ended=event)
            case _:
                assert_never(event)

    def window(self, state: State) -> Window | None:
        if state.ended is not None:
            return None
        return Window.asking(_number(state), state.choosing, _timer(state))

    def choices(self, state: State, seat: Seat) -> Choices[Lay]:
        if state.ended is not None or seat not in state.choosing:
            return Choices()
        return Choices(tuple([Act(f"lay{index}", Lay(card)) for index, card in enumerate(state.hands[seat])]))

    def observe_public(self, state: State) -> Public:
        hands = len(state.hands[0]), len(state.hands[1])
        laid = state.laid[0] is not None, state.laid[1] is not None
        return Public(state.options, hands, laid, state.tricks, state.taken)

    def observe(self, state: State, seat: Seat) -> Private[Public, Own]:
        return Private(seat, self.observe_public(state), Own(state.hands[seat], state.laid[seat]))

    def outcome(self, state: State) -> Outcome | None:
        if state.ended is None:
            return None
        winner = state.ended.winner
        return Outcome(state.ended.kind, tuple([1 if winner in (None, seat) else 2 for seat in (0, 1)]))

    def write(self, action: Lay | TimeUp | Resign) -> str:
        return f"lay {action.card.code}" if isinstance(action, Lay) else write_common(action)

    def read(self, text: str) -> Lay | TimeUp | Resign:
        if text.startswith("lay "):
            return Lay(Card.of(text.removeprefix("lay ")))
        return read_common(text)


def _number(state: State) -> int:
    """The number of the question: one for each trick, the same for both players."""
    return len(state.tricks) + 1


def _timer(state: State) -> Timer:
    return Timer.of_turn(_number(state))


def _time_up(late: tuple[Seat, ...]) -> Ended:
    """A seat that has not laid a card in its time loses; if that is both, nobody wins (C-5)."""
    return Ended("time", None if len(late) == 2 else 1 - late[0])


def _show(run: Run[Fact, State]) -> None:
    """Once both cards lie there, turn them up (HC-2). After the last trick the match is over (HC-4)."""
    first, second = run.state.laid
    if first is None or second is None:
        return
    run.add(TrickShown((first, second), taker((first, second))))
    if not any(run.state.hands):
        mine, theirs = run.state.taken
        run.add(Ended("draw", None) if mine == theirs else Ended("tricks", 0 if mine > theirs else 1))
