"""The rules of Haymaker, ruling by ruling (docs/rulings/haymaker.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, assert_never, get_args

from engines import game
from engines.cards import Card
from engines.chance import Chance
from engines.common_facts import DealerDrawn
from engines.guards import check, check_asked, check_on, check_time_up, check_turn, seated
from engines.hands import check_held
from engines.haymaker import facts
from engines.haymaker.facts import Action, Cards, Fact, Options
from engines.haymaker.offers import AttackPick, BlockPick, attack_refusal, block_refusal, is_reversal
from engines.haymaker.table import PACK, Own, Phase, Public, State, strength
from engines.notation import read_cards, read_common, write_cards, write_common
from engines.run import Run
from engines.values import put_of_two, replace

DEALT: Final = 10
BURNED: Final = 4

ASKS: Final[Mapping[type, Phase]] = {
    facts.Attack: Phase.ATTACK,
    facts.Pass: Phase.ATTACK,
    facts.Block: Phase.REPLY,
    facts.TakeHit: Phase.REPLY,
    facts.Keep: Phase.KEEP,
}
"""The phase in which each action may be taken."""


class Haymaker(game.Game[State, Action, Fact, Options, Public, Own]):
    """The rules of Haymaker."""

    info = game.GameInfo(
        key="haymaker",
        title="Haymaker",
        seats=range(2, 3),
        rules_version=1,
        options=Options,
        presets={"default": Options()},
        actions=get_args(Action),
        events=get_args(Fact),
        # Each attack removes a card for good, so there are at most 36, each with a reply and a pass after it. Eight
        # passes draw cards, with one more question each. And there is one resignation.
        longest=36 * 3 + 8 + 1,
        seat_time=True,
    )

    def pack(self, options: Options, seats: int) -> game.Pack:  # noqa: ARG002  one pack for all options
        return PACK

    def start(self, options: Options, seats: int) -> State:  # noqa: ARG002  there are no options yet
        if seats not in self.info.seats:
            raise ValueError("Haymaker is a game for two")
        return State()

    def deal(self, state: State, chance: Chance) -> game.Facts[Fact, State]:
        """Draw the dealer, deal cards one by one, the other player first, and burn four (H-1)."""
        first = chance.first_seat(2)
        dealer = 1 - first
        deck = chance.deck(PACK.cards)
        both = 2 * DEALT
        run = _Run(self.evolve, state, chance)
        run.add(
            DealerDrawn(dealer),
            facts.HandDealt(first, deck[0:both:2]),
            facts.HandDealt(dealer, deck[1:both:2]),
            facts.PileLaid(draw=deck[both + BURNED :], burned=deck[both : both + BURNED]),
            facts.TurnBegun(first, may_pass=False),
        )
        return run.facts

    def decide(
        self, state: State, actor: game.Seat | None, action: Action | game.TimeUp | game.Resign, chance: Chance
    ) -> game.Facts[Fact, State]:
        check_on(state.ended)
        run = _Run(self.evolve, state, chance)
        if isinstance(action, game.TimeUp):
            check_time_up(actor, action, (game.Timer.of_turn(state.window),), (state.asked,))
            _time_up(run)
            return run.facts
        seat = seated(actor, len(state.hands))
        if isinstance(action, game.Resign):
            return run.add(facts.Ended("resignation", 1 - seat)).facts
        check_turn(seat, state.asked)
        check_asked("haymaker", ASKS[type(action)], state.phase)
        match action:
            case facts.Attack(cards):
                _attack(run, cards)
            case facts.Pass():
                _pass(run)
            case facts.Block(cards):
                _block(run, cards)
            case facts.TakeHit():
                _hit(run)
            case facts.Keep(card):
                _keep(run, card)
            case _:
                assert_never(action)
        return run.facts

    def evolve(self, state: State, event: Fact) -> State:  # noqa: PLR0911, PLR0912  one answer per fact
        match event:
            case DealerDrawn():
                return replace(state, dealer=event.dealer)
            case facts.HandDealt():
                return replace(state, hands=state.with_cards(event.seat, event.cards))
            case facts.PileLaid():
                return replace(state, draw=event.draw, burned=event.burned)
            case facts.TurnBegun():
                return replace(
                    state,
                    turn=state.turn + 1,
                    window=state.window + 1,
                    phase=Phase.ATTACK,
                    attacker=event.attacker,
                    may_pass=event.may_pass,
                )
            case facts.AttackLaid():
                hands = state.without_cards(event.seat, event.cards)
                return replace(state, window=state.window + 1, phase=Phase.REPLY, hands=hands, attack=event.cards)
            case facts.BlockLaid():
                last = state.turn_so_far("reversal" if event.reversal else "block", event.cards)
                return replace(state, hands=state.without_cards(event.seat, event.cards), block=event.cards, last=last)
            case facts.HitTaken():
                return replace(state, last=state.turn_so_far("hit"))
            case facts.TableCleared():
                cards = (*state.discards[event.seat], *state.attack, *state.block)
                return replace(state, discards=put_of_two(state.discards, event.seat, cards), attack=(), block=())
            case facts.CardsDrawn(seat, cards, passing):
                rest = state.draw[len(cards) :]
                if passing:
                    return replace(state, window=state.window + 1, phase=Phase.KEEP, draw=rest, drawn=cards)
                return replace(state, draw=rest, hands=state.with_cards(seat, cards))
            case facts.Passed():
                return replace(state, last=state.turn_so_far("pass"))
            case facts.CardKept(seat, card):
                drawn = tuple([other for other in state.drawn if other != card])
                return replace(state, drawn=drawn, hands=state.with_cards(seat, (card,)))
            case facts.CardsGiven(giver, taker, cards, passing):
                if passing:
                    return replace(state, drawn=(), hands=state.with_cards(taker, cards))
                state = replace(state, hands=state.without_cards(giver, cards))
                return replace(state, hands=state.with_cards(taker, cards))
            case facts.Ended():
                return replace(state, phase=Phase.OVER, ended=event)
            case _:
                assert_never(event)

    def window(self, state: State) -> game.Window | None:
        if state.ended is not None:
            return None
        return game.Window.asking(state.window, frozenset({state.asked}), game.Timer.of_turn(state.window))

    def choices(self, state: State, seat: game.Seat) -> game.Choices[Action]:
        if state.ended is not None or seat != state.asked:
            return game.Choices()
        hand = state.hands[seat]
        if state.phase is Phase.ATTACK:
            attack = AttackPick(hand)
            if state.may_pass:
                return game.Choices((attack, game.Act("pass", facts.Pass())))
            return game.Choices(
                (attack,), (game.Closed("pass", game.Refusal("H-5", "haymaker.refusal.pass_not_open")),)
            )
        if state.phase is Phase.REPLY:
            block = BlockPick(hand, state.attack, len(state.hands[state.attacker]))
            return game.Choices((block, game.Act("hit", facts.TakeHit())))
        return game.Choices(
            tuple([game.Act(f"keep{index}", facts.Keep(card)) for index, card in enumerate(state.drawn)])
        )

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

    def observe(self, state: State, seat: game.Seat) -> game.Private[Public, Own]:
        drawn = state.drawn if seat == state.attacker else ()
        return game.Private(seat, self.observe_public(state), Own(state.hands[seat], drawn))

    def outcome(self, state: State) -> game.Outcome | None:
        if state.ended is None:
            return None
        winner = state.ended.winner
        return game.Outcome(state.ended.kind, tuple([1 if winner in (None, seat) else 2 for seat in range(2)]))

    def write(self, action: Action | game.TimeUp | game.Resign) -> str:
        match action:
            case facts.Attack():
                return write_cards(action.cards)
            case facts.Pass():
                return "pass"
            case facts.Block():
                return f"block {write_cards(action.cards)}"
            case facts.TakeHit():
                return "hit"
            case facts.Keep():
                return f"keep {action.card.code}"
            case _:
                return write_common(action)

    def read(self, text: str) -> Action | game.TimeUp | game.Resign:
        match text.split(" "):
            case ["pass"]:
                return facts.Pass()
            case ["hit"]:
                return facts.TakeHit()
            case ["block", cards]:
                return facts.Block(read_cards(cards))
            case ["keep", card]:
                return facts.Keep(Card.of(card))
            case ["resign" | "time", *_]:
                return read_common(text)
            case _:
                return facts.Attack(read_cards(text))


class _Run(Run[Fact, State]):
    """An act of Haymaker being worked out."""

    def begin_turn(self, attacker: game.Seat, *, may_pass: bool) -> None:
        """Begin the next turn with the check of H-11, which may end the match."""
        self.add(facts.TurnBegun(attacker, may_pass))
        hands, (first, second) = self.state.hands, self.state.discards
        if not any(hands):
            lead = len(first) - len(second)
            self.add(facts.Ended("decision", 0 if lead > 0 else 1) if lead else facts.Ended("draw", None))
        elif not hands[attacker]:
            self.add(facts.Ended("technical_knockout", 1 - attacker))


def _time_up(run: _Run) -> None:
    """C-5: the seat that had to answer resigns, but a pass keeps the first card drawn."""
    if run.state.phase is Phase.KEEP:
        _keep(run, run.state.drawn[0])
    else:
        run.add(facts.Ended("time", 1 - run.state.asked))


def _attack(run: _Run, cards: Cards) -> None:
    attacker, defender = run.state.attacker, 1 - run.state.attacker
    check_held(run.state.hands[attacker], cards)
    check(attack_refusal(cards))
    run.add(facts.AttackLaid(attacker, cards))
    if not run.state.hands[defender]:
        run.add(facts.HitTaken(defender, asked=False), facts.Ended("knockout", attacker))


def _block(run: _Run, cards: Cards) -> None:
    state = run.state
    attacker, defender = state.attacker, 1 - state.attacker
    check_held(state.hands[defender], cards)
    check(block_refusal(cards, strength(state.attack)))
    reversal = is_reversal(strength(cards), state.attack, len(state.hands[attacker]))
    run.add(facts.BlockLaid(defender, cards, reversal), facts.TableCleared(defender if reversal else attacker))
    if not reversal:
        run.begin_turn(attacker, may_pass=True)
        return
    for seat in (defender, attacker):  # H-8
        if run.state.draw:
            run.add(facts.CardsDrawn(seat, run.state.draw[:1], passing=False))
    run.begin_turn(defender, may_pass=False)


def _hit(run: _Run) -> None:
    state = run.state
    attacker, defender = state.attacker, 1 - state.attacker
    run.add(facts.HitTaken(defender, asked=True))
    cost = 2 if len(state.attack) > 1 else 1
    if len(state.hands[defender]) < cost:  # H-9
        run.add(facts.Ended("knockout", attacker))
        return
    given = run.chance.use("hit").shuffled(state.hands[defender])[:cost]  # H-12
    run.add(facts.CardsGiven(defender, attacker, given, passing=False), facts.TableCleared(attacker))
    run.begin_turn(attacker, may_pass=True)


def _pass(run: _Run) -> None:
    state = run.state
    if not state.may_pass:
        raise game.IllegalAction("H-5", "haymaker.refusal.pass_not_open")
    attacker = state.attacker
    run.add(facts.Passed(attacker))
    if state.draw:
        run.add(facts.CardsDrawn(attacker, state.draw[:2], passing=True))
    if len(run.state.drawn) == 2:
        return
    if run.state.drawn:  # H-6
        run.add(facts.CardKept(attacker, run.state.drawn[0]))
    run.begin_turn(1 - attacker, may_pass=False)


def _keep(run: _Run, card: Card) -> None:
    state = run.state
    if card not in state.drawn:
        raise game.IllegalAction("H-7", "haymaker.refusal.not_drawn", card=card.name)
    attacker, defender = state.attacker, 1 - state.attacker
    run.add(facts.CardKept(attacker, card))
    run.add(facts.CardsGiven(attacker, defender, run.state.drawn, passing=True))
    run.begin_turn(defender, may_pass=False)
