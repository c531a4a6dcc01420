"""Haymaker: two players, an attacker and a defender, and forty cards (docs/rules/haymaker.md).

Rulings are cited by number (docs/rulings/haymaker.md). The order in which chance is used: who deals, then the deck,
then a stream for each hit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final, TypeAlias, assert_never

from engines.cards import Card, pack
from engines.chance import Chance
from engines.game import (
    Act,
    Choices,
    Closed,
    Event,
    Game,
    GameInfo,
    IllegalAction,
    Outcome,
    Pack,
    Pick,
    Private,
    Refusal,
    Resign,
    Seat,
    Step,
    Timer,
    TimeUp,
    Turn,
    Value,
    Window,
)
from engines.notation import read_cards, read_common, write_cards, write_common

PACK: Final = Pack("haymaker40", pack(range(1, 11)))
DEALT: Final = 10
BURNED: Final = 4

Cards: TypeAlias = tuple[Card, ...]
_PLACE: Final = {card: place for place, card in enumerate(PACK.cards)}


def strength(cards: Sequence[Card]) -> int:
    """What an attack or a block amounts to: the sum of its ranks, the ace counting one."""
    return sum([card.rank for card in cards])


@dataclass(frozen=True, slots=True)
class Options:
    """Haymaker has none."""


# ---------------------------------------------------------------------------------------------- actions


@dataclass(frozen=True, slots=True)
class Attack:
    """One card is a normal attack, two or more of one suit are a haymaker (H-4)."""

    cards: Cards


@dataclass(frozen=True, slots=True)
class Pass:
    """Instead of attacking: draw two, keep one, give one, and switch roles (H-5, H-6)."""


@dataclass(frozen=True, slots=True)
class Block:
    """Cards at least as strong as the attack."""

    cards: Cards


@dataclass(frozen=True, slots=True)
class TakeHit:
    """No block: give a random card, or two to a haymaker."""


@dataclass(frozen=True, slots=True)
class Keep:
    """Which of the two cards drawn in a pass to keep (H-7)."""

    card: Card


Action: TypeAlias = Attack | Pass | Block | TakeHit | Keep


# ---------------------------------------------------------------------------------------------- events


@dataclass(frozen=True, slots=True)
class DealerDrawn(Event):
    """Who deals."""

    dealer: Seat


@dataclass(frozen=True, slots=True)
class HandDealt(Event):
    """A seat's ten cards."""

    seat: Seat
    cards: Cards

    def audience(self) -> frozenset[Seat]:
        return frozenset({self.seat})

    def face(self) -> CountDealt:
        return CountDealt(self.seat, len(self.cards))


@dataclass(frozen=True, slots=True)
class PileLaid(Event):
    """The draw pile, its top first, and the burned cards. Nobody knows them."""

    draw: Cards
    burned: Cards

    def audience(self) -> frozenset[Seat]:
        return frozenset()


@dataclass(frozen=True, slots=True)
class TurnBegun(Event):
    """Whose attack it is, and whether a pass is open to them (H-5)."""

    attacker: Seat
    may_pass: bool


@dataclass(frozen=True, slots=True)
class AttackLaid(Event):
    """The attack, face up."""

    seat: Seat
    cards: Cards


@dataclass(frozen=True, slots=True)
class BlockLaid(Event):
    """The block, face up, and whether it is a reversal."""

    seat: Seat
    cards: Cards
    reversal: bool


@dataclass(frozen=True, slots=True)
class HitTaken(Event):
    """The defender takes the hit; `asked` is False for one who had no card to block with (H-10)."""

    seat: Seat
    asked: bool


@dataclass(frozen=True, slots=True)
class TableCleared(Event):
    """The attack's and the block's cards go to this seat's discard pile (H-2)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class CardsDrawn(Event):
    """Cards drawn to the hand after a reversal or, with `passing`, laid aside to choose from (H-6)."""

    seat: Seat
    cards: Cards
    passing: bool

    def audience(self) -> frozenset[Seat]:
        return frozenset({self.seat})

    def face(self) -> CountDrawn:
        return CountDrawn(self.seat, len(self.cards), self.passing)


@dataclass(frozen=True, slots=True)
class Passed(Event):
    """The attacker passes."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class CardKept(Event):
    """The card the attacker keeps of those drawn in a pass. What the others may know, the drawing told them."""

    seat: Seat
    card: Card

    def audience(self) -> frozenset[Seat]:
        return frozenset({self.seat})


@dataclass(frozen=True, slots=True)
class CardsGiven(Event):
    """The random cards a hit costs (H-12) or, with `passing`, the card drawn but not kept. Both players see them."""

    giver: Seat
    taker: Seat
    cards: Cards
    passing: bool

    def audience(self) -> frozenset[Seat]:
        return frozenset({self.giver, self.taker})

    def face(self) -> CountGiven:
        return CountGiven(self.giver, self.taker, len(self.cards), self.passing)


@dataclass(frozen=True, slots=True)
class Ended(Event):
    """The end: knockout, technical_knockout, decision, draw, resignation or time. Nobody wins a draw."""

    kind: str
    winner: Seat | None


Fact: TypeAlias = (
    DealerDrawn
    | HandDealt
    | PileLaid
    | TurnBegun
    | AttackLaid
    | BlockLaid
    | HitTaken
    | TableCleared
    | CardsDrawn
    | Passed
    | CardKept
    | CardsGiven
    | Ended
)


@dataclass(frozen=True, slots=True)
class CountDealt(Event):
    """What the others see of `HandDealt`."""

    seat: Seat
    count: int


@dataclass(frozen=True, slots=True)
class CountDrawn(Event):
    """What the others see of `CardsDrawn`."""

    seat: Seat
    count: int
    passing: bool


@dataclass(frozen=True, slots=True)
class CountGiven(Event):
    """What spectators see of `CardsGiven`."""

    giver: Seat
    taker: Seat
    count: int
    passing: bool


# ---------------------------------------------------------------------------------------------- state and observations


class Phase(Enum):
    """What the match waits for."""

    ATTACK = "attack"
    REPLY = "reply"
    KEEP = "keep"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class LastTurn:
    """The turn before this one, as all saw it. `reply` is block, reversal, hit or pass."""

    attacker: Seat
    attack: Cards
    reply: str
    block: Cards


@dataclass(frozen=True, slots=True)
class State:
    """Everything, hidden cards included. Hands are sorted by suit and rank; the draw pile's top is first."""

    dealer: Seat = 0
    turn: int = 0
    window: int = 0
    phase: Phase = Phase.ATTACK
    attacker: Seat = 0
    may_pass: bool = False
    hands: tuple[Cards, ...] = ((), ())
    discards: tuple[Cards, ...] = ((), ())
    draw: Cards = ()
    burned: Cards = ()
    attack: Cards = ()
    block: Cards = ()
    drawn: Cards = ()
    last: LastTurn | None = None
    ended: Ended | None = None

    @property
    def asked(self) -> Seat:
        """Who has to answer; nobody once the match is over."""
        return 1 - self.attacker if self.phase is Phase.REPLY else self.attacker


@dataclass(frozen=True, slots=True)
class Public:
    """What everybody may know. Cards lie face up in `attack`, `block` and `discards`; the rest are counts.

    `asked` is None once the match is over. After a knockout the attack still lies on the table.
    """

    dealer: Seat
    turn: int
    phase: Phase
    attacker: Seat
    asked: Seat | None
    may_pass: bool
    attack: Cards
    strength: int
    block: Cards
    hands: tuple[int, ...]
    discards: tuple[Cards, ...]
    draw: int
    burned: int
    drawn: int
    last: LastTurn | None


@dataclass(frozen=True, slots=True)
class Own:
    """A seat's hand and, while it chooses in a pass, the two cards drawn, the first one first."""

    hand: Cards
    drawn: Cards


# ---------------------------------------------------------------------------------------------- choices


def _attack_refusal(cards: Sequence[Card]) -> Refusal | None:
    if not cards:
        return Refusal("H-4", "haymaker.refusal.attack_without_cards")
    if any(card.suit is not cards[0].suit for card in cards):
        return Refusal("H-4", "haymaker.refusal.two_suits")
    return None


def _block_refusal(cards: Sequence[Card], needed: int) -> Refusal | None:
    if not cards:
        return Refusal("H-3", "haymaker.refusal.block_without_cards", {"needed": needed})
    if strength(cards) < needed:
        return Refusal("H-3", "haymaker.refusal.block_too_weak", {"strength": strength(cards), "needed": needed})
    return None


def _twice(card: Card) -> Refusal:
    return Refusal("C-3", "refusal.card_twice", {"card": card.name})


def _is_reversal(block: int, attack: Cards, attacker_holds: int) -> bool:
    return block == strength(attack) or len(attack) > 1 or attacker_holds == 0


@dataclass(frozen=True, slots=True)
class AttackPick(Pick[Attack]):
    """Cards of one suit. `worth` has strength, and haymaker as 0 or 1."""

    hand: Cards
    verb = "attack"
    ordered = False

    @property
    def items(self) -> int:
        return len(self.hand)

    def step(self, picked: tuple[int, ...]) -> Step:
        cards = _picked(self.hand, picked)
        addable = [_twice(card) if card in cards else _attack_refusal((*cards, card)) for card in self.hand]
        worth: dict[str, Value] = {"strength": strength(cards), "haymaker": int(len(cards) > 1)}
        return Step(tuple(addable), _attack_refusal(cards), worth)

    def action(self, picked: tuple[int, ...]) -> Attack:
        return Attack(tuple(_at(self.hand, i) for i in picked))


@dataclass(frozen=True, slots=True)
class BlockPick(Pick[Block]):
    """Any cards, strong enough together (H-3). `worth` has strength, needed, and reversal as 0 or 1."""

    hand: Cards
    attack: Cards
    attacker_holds: int
    verb = "block"
    ordered = False

    @property
    def items(self) -> int:
        return len(self.hand)

    def step(self, picked: tuple[int, ...]) -> Step:
        cards = _picked(self.hand, picked)
        needed, have = strength(self.attack), strength(cards)
        refusal = _block_refusal(cards, needed)
        reversal = refusal is None and _is_reversal(have, self.attack, self.attacker_holds)
        worth: dict[str, Value] = {"strength": have, "needed": needed, "reversal": int(reversal)}
        return Step(tuple([_twice(card) if card in cards else None for card in self.hand]), refusal, worth)

    def action(self, picked: tuple[int, ...]) -> Block:
        return Block(tuple(_at(self.hand, i) for i in picked))


def _at(hand: Cards, index: int) -> Card:
    if index < 0:
        raise IndexError(index)
    return hand[index]


def _picked(hand: Cards, picked: tuple[int, ...]) -> Cards:
    if len(set(picked)) < len(picked):
        raise IndexError("an item was picked twice")
    return tuple([_at(hand, i) for i in picked])


# ---------------------------------------------------------------------------------------------- the rules


_ASKS: Final[Mapping[type, Phase]] = {
    Attack: Phase.ATTACK,
    Pass: Phase.ATTACK,
    Block: Phase.REPLY,
    TakeHit: Phase.REPLY,
    Keep: Phase.KEEP,
}


class Haymaker(Game[State, Action, Fact, Options, Public, Own]):
    """The rules of Haymaker."""

    info = GameInfo(
        key="haymaker",
        title="Haymaker",
        seats=range(2, 3),
        rules_version=1,
        options=Options,
        presets={"default": Options()},
        actions=(Attack, Pass, Block, TakeHit, Keep),
        events=(
            DealerDrawn,
            HandDealt,
            PileLaid,
            TurnBegun,
            AttackLaid,
            BlockLaid,
            HitTaken,
            TableCleared,
            CardsDrawn,
            Passed,
            CardKept,
            CardsGiven,
            Ended,
        ),
        # Each attack costs a card for good, so there are at most 36, each with a reply and a pass after it; eight
        # passes draw, which asks once more; and one resignation.
        longest=36 * 3 + 8 + 1,
    )

    def pack(self, options: Options, seats: int) -> Pack:  # noqa: ARG002  one pack whatever the options
        return PACK

    def start(self, options: Options, seats: int) -> State:  # noqa: ARG002  there are no options yet
        if seats not in self.info.seats:
            raise ValueError("Haymaker is a game for two")
        return State()

    def deal(self, state: State, chance: Chance) -> Sequence[Fact]:  # noqa: ARG002  the table is empty
        """The dealer is drawn; then cards go one by one, the other player first; four are burned (H-1)."""
        dealer = chance.use("dealer").below(2)
        deck = chance.deck(PACK.cards)
        first = 1 - dealer
        both = 2 * DEALT
        return (
            DealerDrawn(dealer),
            HandDealt(first, deck[0:both:2]),
            HandDealt(dealer, deck[1:both:2]),
            PileLaid(draw=deck[both + BURNED :], burned=deck[both : both + BURNED]),
            TurnBegun(first, may_pass=False),
        )

    def decide(  # noqa: PLR0911  one answer an act
        self, state: State, actor: Seat | None, action: Action | TimeUp | Resign, chance: Chance
    ) -> Sequence[Fact]:
        if state.ended is not None:
            raise IllegalAction("C-0", "refusal.match_over")
        if isinstance(action, TimeUp):
            return self._time_up(state, actor, action)
        if actor is None or not 0 <= actor < len(state.hands):
            raise IllegalAction("C-0", "refusal.not_seated")
        if isinstance(action, Resign):
            return (Ended("resignation", 1 - actor),)
        if actor != state.asked:
            raise IllegalAction("C-0", "refusal.not_your_turn")
        if state.phase is not _ASKS[type(action)]:
            raise IllegalAction("C-0", f"haymaker.refusal.asked_{state.phase.value}")
        match action:
            case Attack():
                return self._attack(state, action.cards)
            case Pass():
                return self._pass(state)
            case Block():
                return self._block(state, action.cards)
            case TakeHit():
                return self._hit(state, chance)
            case Keep():
                return self._keep(state, action.card)
            case _:
                assert_never(action)

    def _time_up(self, state: State, actor: Seat | None, action: TimeUp) -> Sequence[Fact]:
        """C-5: the seat that was asked resigns, but a pass keeps the first card drawn."""
        if actor is not None or TimeUp(_timer(state).name, _timer(state).key) != action:
            raise IllegalAction("C-5", "refusal.time_is_not_up")
        if state.phase is Phase.KEEP:
            return self._keep(state, state.drawn[0])
        return (Ended("time", 1 - state.asked),)

    def _attack(self, state: State, cards: Cards) -> Sequence[Fact]:
        _check_held(state.hands[state.attacker], cards)
        _check(_attack_refusal(cards))
        run = _Run(self, state, AttackLaid(state.attacker, cards))
        defender = 1 - state.attacker
        if not state.hands[defender]:
            run.add(HitTaken(defender, asked=False), Ended("knockout", state.attacker))
        return run.facts

    def _block(self, state: State, cards: Cards) -> Sequence[Fact]:
        attacker, defender = state.attacker, 1 - state.attacker
        _check_held(state.hands[defender], cards)
        _check(_block_refusal(cards, strength(state.attack)))
        reversal = _is_reversal(strength(cards), state.attack, len(state.hands[attacker]))
        run = _Run(self, state, BlockLaid(defender, cards, reversal))
        run.add(TableCleared(defender if reversal else attacker))
        if not reversal:
            return run.begin_turn(attacker, may_pass=True)
        for seat in (defender, attacker):  # H-8
            if run.state.draw:
                run.add(CardsDrawn(seat, run.state.draw[:1], passing=False))
        return run.begin_turn(defender, may_pass=False)

    def _hit(self, state: State, chance: Chance) -> Sequence[Fact]:
        attacker, defender = state.attacker, 1 - state.attacker
        run = _Run(self, state, HitTaken(defender, asked=True))
        cost = 2 if len(state.attack) > 1 else 1
        if len(state.hands[defender]) < cost:  # H-9
            run.add(Ended("knockout", attacker))
            return run.facts
        given = chance.use("hit").shuffled(state.hands[defender])[:cost]  # H-12
        run.add(CardsGiven(defender, attacker, given, passing=False), TableCleared(attacker))
        return run.begin_turn(attacker, may_pass=True)

    def _pass(self, state: State) -> Sequence[Fact]:
        if not state.may_pass:
            raise IllegalAction("H-5", "haymaker.refusal.pass_not_open")
        attacker = state.attacker
        run = _Run(self, state, Passed(attacker))
        if state.draw:
            run.add(CardsDrawn(attacker, state.draw[:2], passing=True))
        if len(run.state.drawn) == 2:
            return run.facts
        if run.state.drawn:  # H-6
            run.add(CardKept(attacker, run.state.drawn[0]))
        return run.begin_turn(1 - attacker, may_pass=False)

    def _keep(self, state: State, card: Card) -> Sequence[Fact]:
        if card not in state.drawn:
            raise IllegalAction("H-7", "haymaker.refusal.not_drawn", card=card.name)
        attacker, defender = state.attacker, 1 - state.attacker
        run = _Run(self, state, CardKept(attacker, card))
        run.add(CardsGiven(attacker, defender, run.state.drawn, passing=True))
        return run.begin_turn(defender, may_pass=False)

    def evolve(self, state: State, event: Fact) -> State:  # noqa: PLR0911, PLR0912  one answer a fact
        match event:
            case DealerDrawn():
                return replace(state, dealer=event.dealer)
            case HandDealt():
                return replace(state, hands=_with(state, event.seat, event.cards))
            case PileLaid():
                return replace(state, draw=event.draw, burned=event.burned)
            case TurnBegun():
                return replace(
                    state,
                    turn=state.turn + 1,
                    window=state.window + 1,
                    phase=Phase.ATTACK,
                    attacker=event.attacker,
                    may_pass=event.may_pass,
                )
            case AttackLaid():
                hands = _without(state, event.seat, event.cards)
                return replace(state, window=state.window + 1, phase=Phase.REPLY, hands=hands, attack=event.cards)
            case BlockLaid():
                last = _last(state, "reversal" if event.reversal else "block", event.cards)
                return replace(state, hands=_without(state, event.seat, event.cards), block=event.cards, last=last)
            case HitTaken():
                return replace(state, last=_last(state, "hit"))
            case TableCleared():
                cards = (*state.discards[event.seat], *state.attack, *state.block)
                return replace(state, discards=_put(state.discards, event.seat, cards), attack=(), block=())
            case CardsDrawn(seat, cards, passing):
                rest = state.draw[len(cards) :]
                if passing:
                    return replace(state, window=state.window + 1, phase=Phase.KEEP, draw=rest, drawn=cards)
                return replace(state, draw=rest, hands=_with(state, seat, cards))
            case Passed():
                return replace(state, last=_last(state, "pass"))
            case CardKept(seat, card):
                drawn = tuple([other for other in state.drawn if other != card])
                return replace(state, drawn=drawn, hands=_with(state, seat, (card,)))
            case CardsGiven(giver, taker, cards, passing):
                if passing:
                    return replace(state, drawn=(), hands=_with(state, taker, cards))
                held = _put(state.hands, giver, _rest(state.hands[giver], cards))
                return replace(state, hands=_put(held, taker, _sorted((*held[taker], *cards))))
            case Ended():
                return replace(state, phase=Phase.OVER, ended=event)
            case _:
                assert_never(event)

    def window(self, state: State) -> Window | None:
        if state.ended is not None:
            return None
        asked = frozenset({state.asked})
        return Window(state.window, asked, asked, (_timer(state),))

    def choices(self, state: State, seat: Seat) -> Choices[Action]:
        if state.ended is not None or seat != state.asked:
            return Choices()
        hand = state.hands[seat]
        if state.phase is Phase.ATTACK:
            attack = AttackPick(hand)
            if state.may_pass:
                return Choices((attack, Act("pass", Pass())))
            return Choices((attack,), (Closed("pass", Refusal("H-5", "haymaker.refusal.pass_not_open")),))
        if state.phase is Phase.REPLY:
            block = BlockPick(hand, state.attack, len(state.hands[state.attacker]))
            return Choices((block, Act("hit", TakeHit())))
        return Choices(tuple([Act(f"keep{place}", Keep(card)) for place, card in enumerate(state.drawn)]))

    def observe_public(self, state: State) -> Public:
        return Public(
            dealer=state.dealer,
            turn=state.turn,
            phase=state.phase,
            attacker=state.attacker,
            asked=None if state.ended else state.asked,
            may_pass=state.may_pass,
            attack=state.attack,
            strength=strength(state.attack),
            block=state.block,
            hands=tuple([len(hand) for hand in state.hands]),
            discards=state.discards,
            draw=len(state.draw),
            burned=len(state.burned),
            drawn=len(state.drawn),
            last=state.last,
        )

    def observe(self, state: State, seat: Seat) -> Private[Public, Own]:
        drawn = state.drawn if seat == state.attacker else ()
        return Private(seat, self.observe_public(state), Own(state.hands[seat], drawn))

    def outcome(self, state: State) -> Outcome | None:
        if state.ended is None:
            return None
        winner = state.ended.winner
        return Outcome(state.ended.kind, tuple([1 if winner in (None, seat) else 2 for seat in range(2)]))

    def write(self, action: Action | TimeUp | Resign) -> str:
        match action:
            case Attack():
                return write_cards(action.cards)
            case Pass():
                return "pass"
            case Block():
                return f"block {write_cards(action.cards)}"
            case TakeHit():
                return "hit"
            case Keep():
                return f"keep {action.card.code}"
            case _:
                return write_common(action)

    def read(self, text: str) -> Action | TimeUp | Resign:
        match text.split(" "):
            case ["pass"]:
                return Pass()
            case ["hit"]:
                return TakeHit()
            case ["block", cards]:
                return Block(read_cards(cards))
            case ["keep", card]:
                return Keep(Card.of(card))
            case _:
                return read_common(text) or Attack(read_cards(text))


class _Run:
    """An act being worked out: its facts so far, and the state after them."""

    def __init__(self, game: Haymaker, state: State, fact: Fact) -> None:
        self._game = game
        self.state = state
        self.facts: list[Fact] = []
        self.add(fact)

    def add(self, *facts: Fact) -> None:
        for fact in facts:
            self.state = self._game.evolve(self.state, fact)
            self.facts.append(fact)

    def begin_turn(self, attacker: Seat, *, may_pass: bool) -> Sequence[Fact]:
        """Begin the next turn with the check of H-11, which may end the match. Returns all facts of the act."""
        self.add(TurnBegun(attacker, may_pass))
        hands, (mine, theirs) = self.state.hands, map(len, self.state.discards)
        if not hands[0] and not hands[1]:
            self.add(Ended("draw", None) if mine == theirs else Ended("decision", 0 if mine > theirs else 1))
        elif not hands[attacker]:
            self.add(Ended("technical_knockout", 1 - attacker))
        return self.facts


def _timer(state: State) -> Timer:
    return Timer("turn", str(state.window), Turn())


def _check(refusal: Refusal | None) -> None:
    if refusal is not None:
        raise IllegalAction.of(refusal)


def _check_held(hand: Cards, cards: Cards) -> None:
    for place, card in enumerate(cards):
        if card not in hand:
            raise IllegalAction("C-3", "refusal.card_not_held", card=card.name)
        if card in cards[:place]:
            raise IllegalAction.of(_twice(card))


def _last(state: State, reply: str, block: Cards = ()) -> LastTurn:
    return LastTurn(state.attacker, state.attack, reply, block)


def _put(rows: tuple[Cards, ...], seat: Seat, cards: Cards) -> tuple[Cards, ...]:
    return (cards, rows[1]) if seat == 0 else (rows[0], cards)


def _sorted(cards: Cards) -> Cards:
    return tuple(sorted(cards, key=_PLACE.__getitem__))


def _rest(cards: Cards, gone: Cards) -> Cards:
    return tuple([card for card in cards if card not in gone])


def _with(state: State, seat: Seat, cards: Cards) -> tuple[Cards, ...]:
    return _put(state.hands, seat, _sorted((*state.hands[seat], *cards)))


def _without(state: State, seat: Seat, cards: Cards) -> tuple[Cards, ...]:
    return _put(state.hands, seat, _rest(state.hands[seat], cards))
