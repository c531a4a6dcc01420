"""Unbreakable's computer player: the laws, and what is its own."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from engines.cards import Card
from engines.players.levels import LEVELS
from engines.players.unbreakable.lines import ACTS, plays_on, sampled, shares
from engines.players.unbreakable.odds import distances, round_of, worth
from engines.players.unbreakable.player import PLAYER
from engines.unbreakable import PACK, Options, Phase, State, swift_discard, target_value
from laws.players import Position, positions
from laws.suite import share_of
from tests.engines.players.player_laws import PlayerLaws
from tests.games.cases import case_of

pytestmark = pytest.mark.slow  # asks the players at many positions of matches played by chance

LEVEL_NAMES = tuple(LEVELS["unbreakable"])

CASE = replace(
    case_of("unbreakable"),
    variants={**case_of("unbreakable").variants, "most_swift": Options(match_hand=7, turn_limit=100, pace="swift")},
)
"""As the game's case, but without matches of a thousand attackers; `make arena` plays those, too."""


MANY = 60
"""Positions that several tests look at."""


@cache
def first(count: int) -> tuple[Position, ...]:
    """The first of them: the fewer matches, the faster."""
    return tuple(positions(CASE, count, seed=1))


def some() -> tuple[Position, ...]:
    """Those that a law looks at."""
    return first(share_of(MANY))


# ---------------------------------------------------------------------------------------------- laws


class TestLaws(PlayerLaws):
    case = CASE
    looks = MANY

    def hidden(self, state: State, seat: int) -> tuple[Any, ...]:
        return state.weapons[1 - seat]


# ---------------------------------------------------------------------------------------------- acts


def cards(codes: str) -> tuple[Card, ...]:
    return tuple([Card.of(code) for code in codes.split()])


def test_the_weaker_a_level_the_oftener_it_differs_from_the_strongest() -> None:
    rng, differs = random.Random(8), dict.fromkeys(LEVEL_NAMES, 0)
    for position in first(MANY):
        situation = position.situation()
        for level in LEVEL_NAMES:
            act = LEVELS["unbreakable"][level].policy(situation, rng, 0, lambda: False).action
            differs[level] += act != PLAYER.rule_of_thumb(situation, rng)
    assert differs["gentle"] > differs["normal"] > differs["master"] == 0


# ---------------------------------------------------------------------------------------------- estimates


def test_an_estimate_is_a_share_and_a_closer_pair_is_worth_more() -> None:
    for position in some():
        situation = position.situation()
        acts = PLAYER.candidates(situation)
        values = PLAYER.judge(situation, acts)
        assert all(0 <= value <= 1 for value in values)
        if position.state.phase is Phase.CHOOSE:
            best = acts.index(PLAYER.rule_of_thumb(situation, random.Random(10)))
            assert values[best] == max(values)


@pytest.mark.nightly  # thousands of rounds each
@pytest.mark.parametrize("value", [1, 5, 9, 10, 100])
def test_the_odds_of_a_round_are_those_of_dealt_cards(value: int) -> None:
    rng, rounds = random.Random(11), 6000
    target = next(card for card in PACK.cards if target_value(card) == value)
    deflected = exact = 0
    for _ in range(rounds):
        far = []
        for _ in range(2):
            weapons = tuple(rng.sample(PACK.cards, 3))
            kept = [card for card in weapons if card != swift_discard(weapons, target)]
            far.append(abs(sum([card.rank for card in kept if card.rank <= 10]) - value))
        deflected += far[0] == far[1]
        exact += far[0] == 0 < far[1]
    assert deflected / rounds == pytest.approx(round_of(value).deflects, abs=0.02)
    assert exact / rounds == pytest.approx(round_of(value).exact_wins, abs=0.02)
    assert sum(distances(value)) == pytest.approx(1)


@pytest.mark.parametrize("left", [None, 101, 31])
def test_fewer_cards_are_worth_more_and_the_attacker_has_the_advantage(left: int | None) -> None:
    for mine in range(1, 10):
        assert worth(mine, mine, left) > 0.5
        assert worth(mine, 5, left) > worth(mine + 1, 5, left)
        assert worth(5, mine, left) < worth(5, mine + 1, left)
    assert worth(40, 3, left) == worth(25, 3, left)


# ---------------------------------------------------------------------------------------------- lines


def test_a_line_begins_at_a_table_that_looks_to_the_seat_as_its_own() -> None:
    rng = random.Random(12)
    for position in some():
        view = position.situation().view
        table = sampled(view, rng)
        seen = table.game.observe(table.state, position.seat)
        assert replace(seen, public=replace(seen.public, last=None)) == replace(
            view, public=replace(view.public, last=None)
        )
        state = table.state
        everywhere = Counter([*state.deck, *state.discards, *sum(state.hands + state.weapons, ())])
        everywhere.update([state.target] if state.target else [])
        assert everywhere == Counter(PACK.cards)


def test_a_line_that_is_cut_off_has_the_whole_win_to_share() -> None:
    rng = random.Random(13)
    for position in some():
        table = sampled(position.situation().view, rng)
        for _ in range(ACTS + 1):
            seat = table.asked()
            if seat is None:
                break
            assert sum(shares(table)) == pytest.approx(1)
            table.play(plays_on(table, seat, rng), rng)
