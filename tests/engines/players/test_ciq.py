"""CIQ's computer player: the laws, and what is its own."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from engines.ciq import CIQ, Attack, Pile, State, TurnedOver
from engines.ciq.cards import in_order
from engines.game import Event
from engines.players.ciq.candidates import CIQTable
from engines.players.ciq.look_ahead import AFFORDABLE, affordable, cost, shares
from engines.players.ciq.player import PLAYER, TRIED, CIQPlayer
from engines.players.ciq.sequences import MOST, moved, rows
from engines.players.ciq.sight import sight_from, sight_of
from engines.players.levels import LEVELS
from engines.players.player import Situation
from engines.values import replace
from laws.players import Places, Position, positions, samples_are_consistent
from laws.suite import share_of
from tests.engines.players.player_laws import PlayerLaws
from tests.games.cases import case_of

CASE = case_of("ciq")

pytestmark = pytest.mark.slow  # asks the players at many positions of matches played by chance

ROLLOUTS = 1
"""The fewest: *hard* tries each act on three tables then."""


class CIQLayout:
    """As `laws.players.Layout`."""

    def sample(self, situation: Any, rng: random.Random) -> CIQTable:
        return PLAYER.sample(situation, rng)

    def table_of(self, state: State) -> CIQTable:
        return CIQTable(state)

    def places(self, table: CIQTable) -> Places:
        each = table.state.places
        return Places(
            tuple(frozenset(place.hand) for place in each),
            tuple(pile for place in each for pile in (place.attack, place.damage, place.defense)),
        )

    def others(self, table: CIQTable) -> Any:
        state = table.state
        return state.phase, state.turn, state.round, state.first, state.assault, state.leaving, state.out, state.options


LAYOUT = CIQLayout()


# ---------------------------------------------------------------------------------------------- laws


class TestLaws(PlayerLaws):
    case = CASE
    looks = 80
    fewer_looks = dict.fromkeys(("strong", "hard", "master"), 12)

    def hidden(self, state: State, seat: int) -> tuple[Any, ...]:
        return state.places[1 - seat].hand


def look_at_samples(count: int) -> None:
    rng = random.Random(6)
    for position in positions(CASE, count, seed=6):
        samples_are_consistent(LAYOUT, position, rng)


def test_samples_are_consistent_with_all_that_the_seat_knows() -> None:
    look_at_samples(share_of(80))


def test_samples_of_a_player_that_forgets_turned_over_piles_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    def forgetting(_: CIQPlayer, memory: Any, fact: Event) -> Any:
        memory = remember(PLAYER, memory, fact)
        if isinstance(fact, TurnedOver):
            memory = memory.at(fact.seat, _without_attack(memory.places[fact.seat]))
        return memory

    remember = CIQPlayer.remember
    monkeypatch.setattr(CIQPlayer, "remember", forgetting)
    with pytest.raises(AssertionError):
        look_at_samples(80)


def _without_attack(place: Any) -> Any:
    return type(place)(place.hand, (), place.damage, place.defense)


# ---------------------------------------------------------------------------------------------- what a seat knows


def test_a_seat_knows_a_turned_over_pile_and_what_is_drawn_from_it() -> None:
    known = 0
    for position in positions(CASE, 80, seed=7):
        memory = position.situation().memory
        for seat, place in enumerate(position.state.places):
            if seat != position.seat:
                assert set(memory.places[seat].hand) <= set(place.hand)
                known += len(memory.places[seat].hand)
            assert memory.places[seat].attack in ((), place.attack)
    assert known > 20


def test_a_view_and_a_state_look_the_same() -> None:
    for position in positions(CASE, 60, seed=8):
        situation = position.situation()
        assert sight_from(situation.memory, situation.view) == sight_of(position.state)


# ---------------------------------------------------------------------------------------------- rows


def turns(count: int, seed: int) -> list[Position]:
    """Positions in which somebody has a turn."""
    found = [each for each in positions(CASE, 2 * count + 10, seed) if each.state.phase.value == "turn"]
    return found[:count]


def test_every_row_is_an_attack_and_short_hands_miss_none() -> None:
    for position in turns(40, seed=9):
        sight = sight_of(position.state)
        for target in sight.opponents:
            found = rows(sight.hand, sight.pools[target].top.rank)
            for row in found:
                position.accepts(Attack(target, Pile.DAMAGE, row))
            if len(sight.hand) <= 5:
                every = _all_rows(position, target)
                if max(Counter(map(len, every)).values()) <= MOST:
                    assert set(found) == every


def _all_rows(position: Position, target: int) -> set[Any]:
    """Every attack on a Damage Pile, found by picking."""
    choices = CIQ().choices(position.state, position.seat)
    found, walks = set(), [()]
    pick: Any = next(
        offer
        for offer in choices
        if getattr(offer, "target", None) == target and getattr(offer, "pile", None) is Pile.DAMAGE
    )
    while walks:
        picked: Any = walks.pop()
        step = pick.step(picked)
        if step.unfinished is None:
            found.add(pick.action(picked).cards)
        walks += [(*picked, item) for item, refusal in enumerate(step.addable) if refusal is None]
    return found


def test_what_a_row_moves_is_what_its_pick_says() -> None:
    for position in turns(40, seed=10):
        sight = sight_of(position.state)
        for offer in CIQ().choices(position.state, position.seat):
            pick: Any = offer
            if getattr(pick, "pile", None) is not Pile.DAMAGE:
                continue
            for row in rows(sight.hand, pick.defense):
                worth = pick.step(tuple(sight.hand.index(card) for card in row)).worth
                if not worth["jack"]:
                    assert moved(row, pick.defense, sight.own) == (worth["transfer"], bool(worth["wins"]))


def test_of_a_large_hand_it_looks_at_few_rows() -> None:
    pack = CIQ().pack(CIQ().info.presets["default"], 2).cards
    hand = tuple(random.Random(11).sample(pack, 25))
    assert len(rows(hand, 14)) < 20_000


# ---------------------------------------------------------------------------------------------- acts


def test_shares_add_up_and_fewer_cards_are_worth_more() -> None:
    for position in positions(CASE, 40, seed=14):
        found = shares(position.state)
        assert sum(found) == pytest.approx(1)
        state = position.state
        cards = [place.cards for place in state.places]
        staying = [seat for seat in range(len(cards)) if seat not in state.out]
        assert sorted(staying, key=lambda seat: -found[seat]) == sorted(staying, key=cards.__getitem__)
        assert all(found[seat] == 0 for seat in state.out)


def test_hard_stops_when_its_time_is_over() -> None:
    position = turns(1, seed=16)[0]
    asked: list[None] = []

    def expired() -> bool:
        asked.append(None)
        return len(asked) > 2

    policy = LEVELS["ciq"]["hard"].policy
    thought = policy(position.situation(), random.Random(1), 10_000, expired)
    count = min(len(PLAYER.candidates(position.situation())), TRIED)
    assert thought.rollouts == 3 * count
    position.accepts(thought.action)


def test_with_large_hands_it_plays_fewer_rollouts_so_that_no_move_takes_long() -> None:
    sights = {count: sight_of(drawn_to(count)) for count in (5, 10, 20, 40)}
    played = {count: affordable(60, sight) for count, sight in sights.items()}
    assert played[5] == 60
    assert 60 >= played[10] > played[20] > played[40]
    assert played[20] * cost(sights[20]) <= 60 * AFFORDABLE
    situation = situation_of(drawn_to(40))
    policy = LEVELS["ciq"]["hard"].policy
    assert policy(situation, random.Random(1), 60, lambda: False).rollouts <= 3


def drawn_to(count: int) -> State:
    """A table of two packs where both have drawn until they hold this many cards."""
    state: State = CASE.deal("default", 2, random.Random(17)).open()[0]
    places = [
        replace(each, hand=in_order((*each.hand, *each.attack))[:count], attack=each.attack[count - len(each.hand) :])
        for each in state.places
    ]
    return replace(state, places=tuple(places))


def situation_of(state: State) -> Any:
    """What the asked seat knows that remembers nothing of the piles."""
    memory = PLAYER.begin(state.options, len(state.places), state.asked)
    open_piles = [type(place)((), (), place.damage, place.defense) for place in state.places]
    game = CIQ()
    for seat, place in enumerate(open_piles):
        memory = memory.at(seat, place)
    return Situation(memory, game.observe(state, state.asked), game.choices(state, state.asked))
