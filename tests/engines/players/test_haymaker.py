"""Haymaker's computer player: the laws, and what is its own."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from engines.game import Event, Private
from engines.haymaker import CardsGiven, Phase, State
from engines.players.haymaker.bits import ALL, bits_of, cards_of, singles, strength
from engines.players.haymaker.candidates import action_of, attacks, blocks, number_of
from engines.players.haymaker.memory import Memory, known_from
from engines.players.haymaker.player import PLAYER, HaymakerPlayer, worths_by_thumb
from engines.players.haymaker.rules_of_thumb import by_rule_of_thumb
from engines.players.haymaker.table import DRAWN_GAME, FastTable, known_at, sampled
from engines.players.levels import LEVELS
from engines.players.player import Situation
from engines.players.question import Question
from laws.play import random_match
from laws.players import (
    Places,
    a_question_holds_no_state,
    fast_tables_equal_the_rules,
    positions,
    samples_are_consistent,
)
from laws.suite import share_of
from tests.engines.haymaker_table import GAME, A, attack, cards, chance, lay
from tests.engines.players.player_laws import PlayerLaws
from tests.games.cases import case_of
from tests.known import there

CASE = case_of("haymaker")

pytestmark = pytest.mark.slow  # asks the players at many positions of matches played by chance


class Drawing(random.Random):
    """Chance that draws what it was given."""

    def __init__(self, draws: Sequence[float]) -> None:
        super().__init__(0)
        self._draws = list(draws)

    def random(self) -> float:
        return self._draws.pop(0)


class HaymakerTwin:
    """As `laws.players.Twin`."""

    def sample(self, situation: Any, rng: random.Random) -> FastTable:
        return sampled(situation.memory, situation.view, rng)

    def table_of(self, state: State) -> FastTable:
        hands = [bits_of(hand) for hand in state.hands]
        table = FastTable(hands, [bits_of((card,)) for card in reversed(state.draw)], state.attacker)
        table.discards = [bits_of(pile) for pile in state.discards]
        table.drawn = tuple(bits_of((card,)) for card in state.drawn)
        table.phase = state.phase
        table.may_pass = state.may_pass
        table.attack = bits_of(state.attack)
        table.needed = strength(table.attack)
        if state.ended is not None:
            table.winner = DRAWN_GAME if state.ended.winner is None else state.ended.winner
        return table

    def places(self, table: FastTable) -> Places:
        sets = [*table.hands, *table.discards, table.attack]
        piles = [tuple(reversed(table.draw)), table.drawn]
        burned = ALL - sum(sets) - sum(map(sum, piles))
        return Places(
            tuple(frozenset(cards_of(each)) for each in (*sets, burned)),
            tuple(tuple(cards_of(card)[0] for card in pile) for pile in piles),
        )

    def others(self, table: FastTable) -> Any:
        asked = table.asked()
        needed = table.needed if table.phase is Phase.REPLY else 0
        return asked, table.attacker, table.phase, table.phase is Phase.ATTACK and table.may_pass, needed, table.winner

    def act_of(self, action: Any) -> int:
        return number_of(action)

    def action_of(self, table: FastTable, act: int) -> Any:
        return action_of(table.phase, act)

    def chance_of(self, table: FastTable, facts: Sequence[Event]) -> random.Random:
        given = next((fact.cards for fact in facts if isinstance(fact, CardsGiven) and not fact.passing), ())
        hand, draws = list(cards_of(table.hands[1 - table.attacker])), []
        for card in given:
            draws.append((hand.index(card) + 0.5) / len(hand))
            hand.remove(card)
        return Drawing(draws)


TWIN = HaymakerTwin()


# ---------------------------------------------------------------------------------------------- laws


class TestLaws(PlayerLaws):
    case = CASE
    looks = 150

    def hidden(self, state: State, seat: int) -> tuple[Any, ...]:
        return state.hands[1 - seat]


def test_a_question_with_anything_hidden_is_caught() -> None:
    position = next(iter(positions(CASE, 1)))
    question = position.question("normal")
    whole = Question(**{**_fields(question), "seen": position.events})
    with pytest.raises(AssertionError, match="never saw"):
        a_question_holds_no_state(whole, position)
    with_state = Question(**{**_fields(question), "options": position.state})
    with pytest.raises(AssertionError, match="contains a state"):
        a_question_holds_no_state(with_state, position)


def look_at_fast_tables(matches: int) -> None:
    rng = random.Random(5)
    for _ in range(matches):
        fast_tables_equal_the_rules(TWIN, random_match(CASE.deal("default", 2, rng), rng), rng)


def look_at_samples(count: int) -> None:
    rng = random.Random(6)
    for position in positions(CASE, count, seed=6):
        samples_are_consistent(TWIN, position, rng)


def test_fast_tables_equal_the_rules() -> None:
    look_at_fast_tables(share_of(60))


def test_samples_are_consistent_with_all_that_the_seat_knows() -> None:
    look_at_samples(share_of(200))


def test_a_fast_table_with_another_rule_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    def from_below(table: FastTable, action: int, rng: random.Random) -> None:
        table.draw.reverse()
        right(table, action, rng)
        table.draw.reverse()

    right = FastTable.play
    monkeypatch.setattr(FastTable, "play", from_below)
    with pytest.raises(AssertionError):
        look_at_fast_tables(60)


def test_samples_of_a_player_that_forgets_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(HaymakerPlayer, "remember", lambda _, memory, __: memory)
    with pytest.raises(AssertionError, match="moves a card that the seat has seen"):
        look_at_samples(200)


def _fields(question: Question) -> dict[str, Any]:
    return {name: getattr(question, name) for name in Question.__slots__}


# ---------------------------------------------------------------------------------------------- what a seat knows


def test_a_seat_remembers_the_cards_that_both_have_seen_change_hands() -> None:
    position = next(
        each
        for each in positions(CASE, 400, seed=7)
        if any(isinstance(fact, CardsGiven) and fact.giver == each.seat for fact in each.events)
    )
    given = [fact for fact in position.events if isinstance(fact, CardsGiven) and fact.giver == position.seat]
    theirs = set(position.state.hands[1 - position.seat])
    still = {card for fact in given for card in fact.cards} & theirs
    assert still <= set(cards_of(position.situation().memory.theirs))


def test_a_fast_table_knows_what_a_seat_knows_by_facts() -> None:
    rng = random.Random(8)
    for _ in range(20):
        log = random_match(CASE.deal("default", 2, rng), rng)
        table = TWIN.table_of(log.states[0])
        memories = [Memory(0), Memory(1)]
        facts: tuple[Event, ...] = log.opening
        for state, move in zip(log.states, log.moves, strict=False):
            for seat in range(2):
                for fact in facts:
                    seen = fact if fact.audience() is None or seat in (fact.audience() or ()) else fact.face()
                    if seen is not None:
                        memories[seat] = PLAYER.remember(memories[seat], seen)
            asked = there(table.asked())
            by_facts = known_from(memories[asked], GAME.observe(state, asked))
            by_table = known_at(table, asked)
            assert by_facts._replace(may_pass=False) == by_table._replace(may_pass=False)
            assert table.phase is not Phase.ATTACK or by_facts.may_pass == by_table.may_pass
            table.play(number_of(move.action), TWIN.chance_of(table, move.events))
            facts = move.events


def test_samples_are_uniform() -> None:
    """Each unseen card is in the opponent's hand equally often: chi-square over 4,000 samples."""
    position = next(each for each in positions(CASE, 60, seed=9) if 4 <= each.moves <= 12)
    situation, rng = position.situation(), random.Random(9)
    known = known_from(situation.memory, situation.view)
    count, samples = Counter[int](), 4000
    for _ in range(samples):
        hand = TWIN.sample(situation, rng).hands[1 - position.seat]
        assert hand & known.theirs == known.theirs
        count.update(singles(hand & ~known.theirs))
    unseen = singles(known.unseen)
    expected = samples * known.hidden / len(unseen)
    chi_square = sum((count[card] - expected) ** 2 / expected for card in unseen)
    assert set(count) == set(unseen)
    assert chi_square < 2 * len(unseen), "a chance below one in a thousand"


# ---------------------------------------------------------------------------------------------- acts


def test_attacks_are_the_sets_of_a_suit() -> None:
    hand = bits_of(cards("AC 2C 5C 3H 9S"))
    found = {cards_of(each) for each in attacks(hand)}
    assert found == {
        *(cards(one) for one in ("AC", "2C", "5C", "3H", "9S")),
        *(cards(two) for two in ("AC 2C", "AC 5C", "2C 5C", "AC 2C 5C")),
    }


def test_blocks_are_all_the_sets_without_a_card_too_many() -> None:
    rng = random.Random(10)
    for _ in range(100):
        hand, needed = rng.sample([1 << index for index in range(40)], 7), rng.randint(1, 30)
        whole = [sum(card for at, card in enumerate(hand) if number >> at & 1) for number in range(1, 128)]
        least = [
            each
            for each in whole
            if strength(each) >= needed and all(strength(each ^ card) < needed for card in singles(each))
        ]
        short = [each for each in least if each.bit_count() <= 3]
        fewest = min((each.bit_count() for each in least), default=0)
        expected = short or [each for each in least if each.bit_count() == fewest]
        assert sorted(blocks(sum(hand), needed)) == sorted(expected)


def known(state: State, seat: int, theirs: str = "") -> Any:
    """What a seat knows of a table laid out by hand."""
    view: Private[Any, Any] = GAME.observe(state, seat)
    return known_from(Memory(seat, theirs=bits_of(cards(theirs))), view)


def attacked(codes: str, **hands: str) -> State:
    """A attacks; B is asked."""
    state = lay(**hands)  # type: ignore[arg-type]  # hands are the two texts of `lay`
    return GAME.decide(state, A, attack(codes), chance()).state


def thumb(state: State, seat: int, theirs: str = "") -> Any:
    """The act by rule of thumb."""
    return action_of(state.phase, by_rule_of_thumb(known(state, seat, theirs)))


def test_what_acts_seem_worth_is_what_the_rule_of_thumb_chooses_by() -> None:
    for position in positions(CASE, 300, seed=11):
        situation: Situation[Any, Any] = position.situation()
        acts = PLAYER.candidates(situation)
        worths = worths_by_thumb(situation, acts)
        chosen = PLAYER.rule_of_thumb(situation, random.Random(1))
        assert worths[acts.index(chosen)] == max(worths)


def test_the_weaker_a_level_the_oftener_it_differs_from_normal() -> None:
    rng, differs = random.Random(11), dict.fromkeys(("gentle", "easy"), 0)
    for position in positions(CASE, 200, seed=11):
        situation: Situation[Any, Any] = position.situation()
        for level in differs:
            act = LEVELS["haymaker"][level].policy(situation, rng, 0, lambda: False).action
            differs[level] += act != PLAYER.rule_of_thumb(situation, rng)
    assert 10 < differs["easy"] < differs["gentle"] < 190
