"""The rules of Champions of Chance, ruling by ruling (docs/rulings/champions.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, assert_never, get_args

from engines import game
from engines.champions import facts
from engines.champions.cards import PACKS, Card, Cards, read_cards, write_cards
from engines.champions.course import NUMBERS, Course
from engines.champions.facts import Action, Fact, Options
from engines.champions.fold import after
from engines.champions.offers import DiePick, ExchangePick, die_refusal, exchange_refusal
from engines.champions.table import Own, Phase, Public, PublicBattle, State
from engines.chance import Chance
from engines.guards import check, check_asked, check_on, check_time_up, seated
from engines.hands import check_held
from engines.notation import read_common, write_common

DEALT: Final = 6

ASKS: Final[Mapping[type, Phase]] = {
    facts.Challenge: Phase.OPPONENT,
    facts.NameNumber: Phase.NUMBER,
    facts.Select: Phase.DICE,
    facts.Call: Phase.CALL,
    facts.Steal: Phase.STEAL,
    facts.Decline: Phase.STEAL,
    facts.Exchange: Phase.EXCHANGE,
}
"""The phase in which each action may be taken."""


class Champions(game.Game[State, Action, Fact, Options, Public, Own]):
    """The rules of Champions of Chance."""

    info = game.GameInfo(
        key="champions",
        title="Champions of Chance",
        seats=range(2, 6),
        rules_version=1,
        options=Options,
        presets={"default": Options(), "drawn": Options(number="drawn")},
        recommended=dict.fromkeys(range(2, 6), "drawn"),
        actions=get_args(Action),
        events=get_args(Fact),
        # The rules set no bound: battles may tie and cards may be stolen back forever. The longest of many thousands of
        # random matches had a twentieth of this.
        longest=5_000,
        seat_time=True,
    )

    def pack(self, options: Options, seats: int) -> game.Pack:  # noqa: ARG002  one pack for any number of seats
        return PACKS[options.icons_count, options.wacky_numbers]

    def start(self, options: Options, seats: int) -> State:
        if seats not in self.info.seats:
            raise ValueError("Champions of Chance is a game for two to five")
        nothing: tuple[Cards, ...] = ((),) * seats
        return State(options, seats, decks=nothing, piles=nothing, left=(0,) * seats)

    def deal(self, state: State, chance: Chance) -> game.Facts[Fact, State]:
        seats = state.seats
        first = chance.first_seat(seats)
        deck = chance.deck(self.pack(state.options, seats).cards)
        course = Course(state, chance)
        course.add(facts.FirstDrawn(first))
        for index in range(seats):
            course.add(facts.DeckDealt((first + index) % seats, deck[index : DEALT * seats : seats]))
        course.add(facts.PileLaid(deck[DEALT * seats :]))
        course.begin_turn(first)
        return course.facts

    # ------------------------------------------------------------------------------------ acts

    def decide(
        self, state: State, actor: game.Seat | None, action: Action | game.TimeUp | game.Resign, chance: Chance
    ) -> game.Facts[Fact, State]:
        check_on(state.ended)
        course = Course(state, chance)
        if isinstance(action, game.TimeUp):
            _time_up(course, check_time_up(actor, action, (game.Timer.of_turn(state.window),), state.awaited))
            return course.facts
        seat = seated(actor, state.seats)
        if state.left[seat]:
            raise game.IllegalAction("C-4", "champions.refusal.left")
        if isinstance(action, game.Resign):
            course.leave((seat,), "resignation")
            return course.facts
        _check_asked(state, seat, action)
        _work_out(course, seat, action)
        return course.facts

    def evolve(self, state: State, event: Fact) -> State:
        return after(state, event)

    # ------------------------------------------------------------------------------------ questions

    def window(self, state: State) -> game.Window | None:
        if state.ended is not None:
            return None
        return game.Window.asking(state.window, state.awaited, game.Timer.of_turn(state.window))

    def choices(self, state: State, seat: game.Seat) -> game.Choices[Action]:  # noqa: PLR0911  one answer a phase
        if seat not in state.awaited:
            return game.Choices()
        match state.phase:
            case Phase.OPPONENT:
                return _opponents(state)
            case Phase.NUMBER:
                return game.Choices(
                    tuple([game.Act(f"number{number}", facts.NameNumber(number)) for number in NUMBERS])
                )
            case Phase.DICE:
                return game.Choices((DiePick(state.decks[seat], state.fought.number),))
            case Phase.CALL:
                return game.Choices(
                    (game.Act("highest", facts.Call(lowest=False)), game.Act("lowest", facts.Call(lowest=True)))
                )
            case Phase.STEAL:
                shown = state.fought.shown[state.battlers.index(seat)]
                steals = [game.Act(f"steal{index}", facts.Steal(card)) for index, card in enumerate(shown)]
                return game.Choices((*steals, game.Act("decline", facts.Decline())))
            case _:
                return game.Choices((ExchangePick(state.decks[seat]),))

    def observe_public(self, state: State) -> Public:
        battle = state.battle
        return Public(
            options=state.options,
            first=state.first,
            turn=state.turn,
            phase=state.phase,
            challenger=state.challenger,
            battle=None
            if battle is None
            else PublicBattle(
                battle.opponent,
                battle.taken,
                battle.number,
                (len(battle.dice[0]), len(battle.dice[1])),
                battle.lowest,
                battle.rolled,
                battle.tied,
                battle.asked,
            ),
            awaited=state.awaited,
            decks=tuple([len(deck) for deck in state.decks]),
            piles=state.piles,
            scores=tuple([state.score(seat) for seat in range(state.seats)]),
            draw=len(state.draw),
            discards=len(state.discards),
            left=state.left,
        )

    def observe(self, state: State, seat: game.Seat) -> game.Private[Public, Own]:
        public, deck = self.observe_public(state), state.decks[seat]
        if state.battle is None or seat not in state.battlers:
            return game.Private(seat, public, Own(deck))
        battle, side = state.battle, state.battlers.index(seat)
        die = battle.dice[side] if battle.seen[side] else ()
        return game.Private(seat, public, Own(deck, die, battle.shown[side], battle.steals[side], battle.gives[side]))

    def outcome(self, state: State) -> game.Outcome | None:
        return None if state.ended is None else game.Outcome(state.ended.kind, state.ended.ranks)

    # ------------------------------------------------------------------------------------ notation

    def write(self, action: Action | game.TimeUp | game.Resign) -> str:  # noqa: PLR0911  one form an act
        match action:
            case facts.Challenge(opponent, take):
                return f"challenge {opponent}{' take' if take else ''}"
            case facts.NameNumber(number):
                return f"number {number}"
            case facts.Select(cards):
                return f"select {write_cards(cards)}"
            case facts.Call(lowest):
                return "lowest" if lowest else "highest"
            case facts.Steal(card):
                return f"steal {card.code}"
            case facts.Decline():
                return "decline"
            case facts.Exchange(cards):
                return f"exchange {write_cards(cards)}"
            case _:
                return write_common(action)

    def read(self, text: str) -> Action | game.TimeUp | game.Resign:  # noqa: PLR0911  one form an act
        match text.split(" "):
            case ["challenge", seat]:
                return facts.Challenge(int(seat))
            case ["challenge", seat, "take"]:
                return facts.Challenge(int(seat), take=True)
            case ["number", number]:
                return facts.NameNumber(int(number))
            case ["select", cards]:
                return facts.Select(read_cards(cards))
            case ["highest" | "lowest" as which]:
                return facts.Call(lowest=which == "lowest")
            case ["steal", card]:
                return facts.Steal(Card.of(card))
            case ["decline"]:
                return facts.Decline()
            case ["exchange", cards]:
                return facts.Exchange(read_cards(cards))
            case _:
                return read_common(text)


def _work_out(course: Course, actor: game.Seat, action: Action) -> None:
    """Work out an act of a seat that must make one of this kind. Raises IllegalAction."""
    state = course.state
    match action:
        case facts.Challenge():
            check(_opponent_refusal(state, action.opponent, take=action.take))
            course.name_opponent(action.opponent, take=action.take)
        case facts.NameNumber():
            if action.number not in NUMBERS:
                raise game.IllegalAction("C-0", "champions.refusal.number", least=NUMBERS[0], most=NUMBERS[-1])
            course.set_number(actor, action.number)
        case facts.Select():
            deck = state.decks[actor]
            check_held(deck, action.cards)
            check(die_refusal(action.cards, deck, state.fought.number))
            course.select(actor, action.cards)
        case facts.Call():
            course.call(lowest=action.lowest)
        case facts.Steal():
            if action.card not in state.fought.shown[state.battlers.index(actor)]:
                raise game.IllegalAction("K-17", "champions.refusal.not_to_steal", card=action.card.name)
            course.choose_steal(actor, action.card)
        case facts.Decline():
            course.choose_steal(actor, None)
        case facts.Exchange():
            check_held(state.decks[actor], action.cards)
            check(exchange_refusal(len(action.cards)))
            course.choose_exchange(actor, action.cards[0])
        case _:
            assert_never(action)


def _time_up(course: Course, late: tuple[game.Seat, ...]) -> None:
    """C-5: a seat that had to answer resigns, except that a STEAL is declined, and after a tie the first card is
    exchanged."""
    if course.state.phase not in (Phase.STEAL, Phase.EXCHANGE):
        course.leave(late, "time")
        return
    for seat in late:
        course.default(seat)


def _opponents(state: State) -> game.Choices[Action]:
    """Every possible opponent, who sets the number or, with a faceup card, has it set for them (K-10)."""
    me = state.challenger
    others = [seat for seat in state.able if seat != me]
    offers = [game.Act(f"battle{seat}", facts.Challenge(seat)) for seat in others]
    if state.piles[me]:
        return game.Choices((*offers, *[game.Act(f"take{seat}", facts.Challenge(seat, take=True)) for seat in others]))
    if state.options.victory_dice:
        return game.Choices(tuple(offers), (game.Closed("take", _nothing_faceup()),))
    return game.Choices(tuple(offers))


def _nothing_faceup() -> game.Refusal:
    return game.Refusal("K-10", "champions.refusal.nothing_faceup")


def _opponent_refusal(state: State, opponent: game.Seat, *, take: bool) -> game.Refusal | None:
    if take and not state.piles[state.challenger]:
        return _nothing_faceup()
    if not 0 <= opponent < state.seats or opponent == state.challenger:
        return game.Refusal("C-0", "champions.refusal.no_opponent")
    if state.left[opponent]:
        return game.Refusal("C-4", "champions.refusal.opponent_left")
    if not state.decks[opponent]:
        return game.Refusal("K-11", "champions.refusal.opponent_out")
    return None


def _check_asked(state: State, actor: game.Seat, action: Action) -> None:
    """C-0, and a secret choice cannot be changed (K-2)."""
    phase = ASKS[type(action)]
    if actor not in state.awaited:
        if phase is state.phase and _has_chosen(state, actor):
            raise game.IllegalAction("K-2", "champions.refusal.chosen")
        raise game.IllegalAction("C-0", "refusal.not_your_turn")
    check_asked("champions", phase, state.phase)


def _has_chosen(state: State, seat: game.Seat) -> bool:
    """Whether a seat has chosen its die, theft or exchange while another still has to."""
    if seat not in state.battlers:
        return False
    battle, side = state.fought, state.battlers.index(seat)
    match state.phase:
        case Phase.DICE:
            return bool(battle.dice[side])
        case Phase.STEAL | Phase.EXCHANGE:
            return side in battle.asked
    return False
