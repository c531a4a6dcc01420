"""The rules of CIQ, ruling by ruling (docs/rulings/ciq.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, assert_never, get_args

from engines import game
from engines.chance import Chance
from engines.ciq import facts
from engines.ciq import offers as picks
from engines.ciq.cards import CARDS_IN_A_PACK, EIGHT, read_cards, write_cards
from engines.ciq.course import Course
from engines.ciq.facts import MOST_DECKS, MOST_SEATS, Action, Cards, Fact, Options
from engines.ciq.fold import evolve
from engines.ciq.table import PACKS, Own, Phase, Place, Public, State, decks_of, public
from engines.common_facts import DealerDrawn
from engines.guards import check, check_asked, check_on, check_time_up, check_turn, seated
from engines.hands import check_held
from engines.notation import read_common, write_common
from engines.options import NONE

SEATS: Final = range(2, MOST_SEATS + 1)

ASKS: Final[Mapping[type, Phase]] = {
    facts.Attack: Phase.TURN,
    facts.Defend: Phase.TURN,
    facts.Draw: Phase.TURN,
    facts.Pass: Phase.TURN,
    facts.Block: Phase.BLOCK,
    facts.Allow: Phase.BLOCK,
    facts.Give: Phase.GIVE,
}
"""The phase in which each action may be taken."""

_ALONE: Final = tuple([frozenset({seat}) for seat in range(max(SEATS))])
"""A set of each seat alone, made once: all matches have one in their question."""
_NOT_DRAW: Final = game.Refusal("Q-15", "ciq.refusal.draw_nothing")
_NOT_PASS: Final = game.Refusal("Q-15", "ciq.refusal.pass_not_open")


class CIQ(game.Game[State, Action, Fact, Options, Public, Own]):
    """The rules of CIQ."""

    info = game.GameInfo(
        key="ciq",
        title="CIQ",
        seats=SEATS,
        rules_version=3,
        options=Options,
        presets={"default": Options(), "quick": Options(decks=0, round_limit=30, hand_limit=10)},
        recommended={2: "quick"},
        actions=get_args(Action),
        events=get_args(Fact),
        # Each seat has one turn per round, and each turn one act and one block. A giving needs a card of the sequence
        # and one to give, both from the hand, so there are at most half as many as cards. And everybody may resign.
        # Without a limit of rounds the rules set no bound; play does not reach the one of five hundred.
        longest=500 * MOST_SEATS * (2 + MOST_DECKS * CARDS_IN_A_PACK // 2) + MOST_SEATS,
        seat_time=True,
    )

    def pack(self, options: Options, seats: int) -> game.Pack:
        return PACKS[decks_of(options, seats) - 1]

    def start(self, options: Options, seats: int) -> State:
        """The empty table. Raises OptionRefused for a number of packs that these players cannot have (Q-18)."""
        if seats not in self.info.seats:
            raise ValueError("CIQ is a game for two to six")
        decks_of(options, seats)
        return State(options, places=(Place(),) * seats)

    def deal(self, state: State, chance: Chance) -> game.Facts[Fact, State]:
        """Draw a dealer, lay out an 8 for each seat, and deal all other cards one by one (Q-19)."""
        seats = len(state.places)
        dealer = (chance.first_seat(seats) - 1) % seats
        laid, rest = _cards(self.pack(state.options, seats).cards, seats, chance)
        order = [(dealer + 1 + index) % seats for index in range(seats)]
        course = Course(state, chance)
        course.add(DealerDrawn(dealer))
        course.add(*[facts.EightLaid(seat, laid[index]) for index, seat in enumerate(order)])
        course.add(*[facts.PileDealt(seat, rest[index::seats]) for index, seat in enumerate(order)])
        course.add(*[facts.CardsDrawn(seat, course.state.places[seat].attack[:5], chosen=False) for seat in order])
        course.begin_turn(order[0], 1)
        return course.facts

    def decide(
        self, state: State, actor: game.Seat | None, action: Action | game.TimeUp | game.Resign, chance: Chance
    ) -> game.Facts[Fact, State]:
        check_on(state.ended)
        course = Course(state, chance)
        if isinstance(action, game.TimeUp):
            check_time_up(actor, action, (_timer(state),), (state.asked,))
            _time_up(course)
            return course.facts
        seat = seated(actor, len(state.places))
        if seat not in state.staying:
            raise game.IllegalAction("C-4", "ciq.refusal.left")
        if isinstance(action, game.Resign):
            course.leave(seat, "resignation")
            return course.facts
        check_turn(seat, state.asked)
        check_asked("ciq", ASKS[type(action)], state.phase)
        _work_out(course, action)
        return course.facts

    def evolve(self, state: State, event: Fact) -> State:
        return evolve(state, event)

    def window(self, state: State) -> game.Window | None:
        if state.ended is not None:
            return None
        return game.Window.asking(state.window, _ALONE[state.asked], _timer(state))

    def choices(self, state: State, seat: game.Seat) -> game.Choices[Action]:
        if state.ended is not None or seat != state.asked:
            return game.Choices()
        own = state.places[seat]
        assault = state.assault
        if state.phase is Phase.BLOCK and assault is not None:
            return game.Choices((picks.BlockPick(own.hand, assault.needed), game.Act("allow", facts.Allow())))
        if state.phase is Phase.GIVE and assault is not None:
            return game.Choices((picks.GivePick(own.hand, assault.owed),))
        offers: list[game.Act[Action] | game.Pick[Action]] = [
            *_attacks(state),
            picks.DefendPick(own.hand, own.defense[0]),
        ]
        no_draw, no_pass = _draw_refusal(state), _pass_refusal(state)
        if no_draw is None:
            return game.Choices((*offers, game.Act("draw", facts.Draw())), (game.Closed("pass", _NOT_PASS),))
        if no_pass is None:
            return game.Choices((*offers, game.Act("pass", facts.Pass())), (game.Closed("draw", no_draw),))
        return game.Choices(tuple(offers), (game.Closed("draw", no_draw), game.Closed("pass", no_pass)))

    def observe_public(self, state: State) -> Public:
        return public(state)

    def observe(self, state: State, seat: game.Seat) -> game.Private[Public, Own]:
        return game.Private(seat, public(state), Own(state.places[seat].hand))

    def outcome(self, state: State) -> game.Outcome | None:
        """The winners beat all others; those who played on are equal (Q-16), and before those who left (C-12)."""
        if state.ended is None:
            return None
        winners = state.ended.winners
        before = tuple([1 if seat in winners else 2 for seat in range(len(state.places))])
        return game.Outcome(state.ended.kind, state.ended.ranks or before)

    def write(self, action: Action | game.TimeUp | game.Resign) -> str:  # noqa: PLR0911  one form an act
        match action:
            case facts.Attack(target, pile, cards):
                return f"{pile.value} {target} {write_cards(cards)}"
            case facts.Defend(cards):
                return f"defend {write_cards(cards)}"
            case facts.Draw():
                return "draw"
            case facts.Pass():
                return "pass"
            case facts.Block(cards):
                return f"block {write_cards(cards)}"
            case facts.Allow():
                return "allow"
            case facts.Give(cards):
                return f"give {write_cards(cards)}"
            case _:
                return write_common(action)

    def read(self, text: str) -> Action | game.TimeUp | game.Resign:  # noqa: PLR0911  one form an act
        match text.split(" "):
            case ["damage" | "defense" as pile, target, cards] if target.isdecimal():
                return facts.Attack(int(target), facts.Pile(pile), read_cards(cards))
            case ["defend", cards]:
                return facts.Defend(read_cards(cards))
            case ["draw"]:
                return facts.Draw()
            case ["pass"]:
                return facts.Pass()
            case ["block", cards]:
                return facts.Block(read_cards(cards))
            case ["allow"]:
                return facts.Allow()
            case ["give", cards]:
                return facts.Give(read_cards(cards))
            case _:
                return read_common(text)


def _cards(pack: Cards, seats: int, chance: Chance) -> tuple[Cards, Cards]:
    """The 8s to lay out and all other cards, each shuffled by a use of chance of their own (Q-19)."""
    laid = chance.use("eights").shuffled([card for card in pack if card.rank == EIGHT])[:seats]
    return laid, chance.deck([card for card in pack if card.rank != EIGHT or card not in laid])


def _work_out(course: Course, action: Action) -> None:
    """Work out an act of the seat that must make one of this kind. Raises IllegalAction."""
    match action:
        case facts.Attack():
            _attack(course, action)
        case facts.Defend():
            _defend(course, action.cards)
        case facts.Draw() | facts.Pass():
            _draw_or_pass(course, action)
        case facts.Block():
            _block(course, action.cards)
        case facts.Allow():
            _allow(course)
        case facts.Give():
            _give(course, action.cards)
        case _:
            assert_never(action)


def _time_up(course: Course) -> None:
    """C-5: the seat on turn resigns, a block is not made (Q-7), cards are given in hand order (Q-9)."""
    state = course.state
    if state.phase is Phase.BLOCK:
        _allow(course)
    elif state.phase is Phase.GIVE and state.assault is not None:
        _give(course, state.places[state.asked].hand[: state.assault.owed])
    else:
        course.leave(state.asked, "time")


def _attack(course: Course, attack: facts.Attack) -> None:
    state = course.state
    target = attack.target
    if target == state.turn or not 0 <= target < len(state.places):
        raise game.IllegalAction("Q-2", "ciq.refusal.not_an_opponent")
    if target not in state.staying:
        raise game.IllegalAction("Q-17", "ciq.refusal.opponent_left")
    check_held(state.places[state.turn].hand, attack.cards)
    defense = state.places[target].value
    check(picks.sequence_refusal(attack.cards, defense, attack.pile))
    course.add(facts.AttackLaid(state.turn, target, attack.pile, attack.cards, defense))
    course.attack_laid()


def _defend(course: Course, cards: Cards) -> None:
    seat = course.state.turn
    own = course.state.places[seat]
    check_held(own.hand, cards)
    check(picks.defend_refusal(cards, own.defense[0]))
    course.add(facts.Defended(seat, cards[0]))
    course.next_turn()


def _draw_or_pass(course: Course, action: facts.Draw | facts.Pass) -> None:
    seat = course.state.turn
    if isinstance(action, facts.Draw):
        check(_draw_refusal(course.state))
        course.add(facts.CardsDrawn(seat, course.state.places[seat].attack[:1], chosen=True))
    else:
        check(_pass_refusal(course.state))
        course.add(facts.Passed(seat, forced=False))
    course.next_turn()


def _draw_refusal(state: State) -> game.Refusal | None:
    """Why the seat on turn may not draw (Q-15, Q-23), or None."""
    own, limit = state.places[state.turn], state.options.hand_limit
    if not own.attack:
        return _NOT_DRAW
    if limit != NONE and len(own.hand) >= limit:
        return game.Refusal("Q-23", "ciq.refusal.draw_at_limit", {"limit": limit})
    return None


def _pass_refusal(state: State) -> game.Refusal | None:
    """Why the seat on turn may not pass (Q-15), or None."""
    return _NOT_PASS if state.places[state.turn].attack else None


def _block(course: Course, cards: Cards) -> None:
    state = course.state
    check_held(state.places[state.asked].hand, cards)
    check(picks.block_refusal(cards, state.assault.needed if state.assault else 0))
    course.add(facts.Blocked(state.asked, cards[0]))
    course.work_out()


def _allow(course: Course) -> None:
    course.add(facts.LetThrough(course.state.asked))
    course.work_out()


def _give(course: Course, cards: Cards) -> None:
    state = course.state
    assault = state.assault
    if assault is None:
        raise RuntimeError("nothing is owed")
    hand = state.places[state.asked].hand
    check_held(hand, cards)
    check(picks.give_refusal(cards, assault.owed))
    given = tuple([card for card in hand if card in cards])
    course.add(facts.Transferred(assault.attacker, assault.target, facts.Source.HAND, given))
    course.work_out()


def _attacks(state: State) -> list[picks.AttackPick]:
    """Both piles of every opponent, the next seat's first."""
    own = state.places[state.turn]
    stock = picks.Stock(len(own.attack), len(own.damage), len(own.defense))
    staying = state.staying
    targets = [seat for seat in staying if seat > state.turn] + [seat for seat in staying if seat < state.turn]
    return [
        picks.AttackPick(own.hand, target, pile, state.places[target].value, stock, f"{pile.value}{target}")
        for target in targets
        for pile in facts.Pile
    ]


def _timer(state: State) -> game.Timer:
    """A turn and a giving use the turn's time, a block has its own (Q-7)."""
    length = game.Reply(state.options.block_seconds) if state.phase is Phase.BLOCK else game.Turn()
    return game.Timer(state.phase.value, str(state.window), length)
