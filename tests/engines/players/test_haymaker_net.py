"""Haymaker's net: its file, its features, and that it plays better than rules of thumb."""

from __future__ import annotations

import hashlib
import random
from importlib import resources
from struct import pack
from typing import Any

import pytest

from engines.players.haymaker.features import COUNT, FEATURES, HELD, ODDS, SUITS, act_features, situation_features
from engines.players.haymaker.memory import Known
from engines.players.haymaker.net import FARTHEST, HIDDEN, TEMPERATURE, WEIGHTS, Net, mixed, share_of, shipped
from engines.players.haymaker.player import PLAYER
from engines.players.haymaker.rules_of_thumb import by_rule_of_thumb
from engines.players.haymaker.table import FastTable, known_at
from laws.players import positions
from tests.games.cases import case_of

CASE = case_of("haymaker")

pytestmark = pytest.mark.slow  # plays hundreds of matches


def dealt(rng: random.Random) -> FastTable:
    """A new match (H-1)."""
    deck = [1 << index for index in range(40)]
    rng.shuffle(deck)
    return FastTable([sum(deck[:10]), sum(deck[10:20])], deck[24:], rng.randrange(2))


def questions(matches: int, seed: int) -> list[tuple[Known, list[int]]]:
    """What seats know in matches by random candidates, and the candidates."""
    rng = random.Random(seed)
    found = []
    for _ in range(matches):
        table = dealt(rng)
        while (seat := table.asked()) is not None:
            acts = list(table.candidates())
            found.append((known_at(table, seat), acts))
            table.play(rng.choice(acts), rng)
    return found


def dense(known: Known, act: int) -> list[float]:
    """All features of an act."""
    row = situation_features(known)
    for feature, value in act_features(known, list(row), act):
        row[feature] = value
    return row


def test_the_weights_are_named_by_their_hash_and_small() -> None:
    files = [file for file in resources.files("engines.players.haymaker").iterdir() if file.name.startswith("weights-")]
    assert [file.name for file in files] == [f"weights-{WEIGHTS}.bin"]
    written = files[0].read_bytes()
    assert hashlib.sha256(written).hexdigest()[:16] == WEIGHTS
    assert len(written) <= 64 * 1024


def test_weights_of_another_net_are_refused() -> None:
    with pytest.raises(ValueError, match="not the weights"):
        Net.read(bytes(4 * (FEATURES + 2) * HIDDEN))


def test_weights_whose_sums_would_not_fit_are_refused() -> None:
    size = (FEATURES + 2) * HIDDEN + 1
    with pytest.raises(ValueError, match="too large"):
        Net.read(pack(f"<{size}f", *[10.0] * size))


def test_acts_with_the_same_features_have_exactly_the_same_value() -> None:
    """With floats the order of the cards would decide between them."""
    equal = 0
    for known, acts in questions(6, seed=6):
        values = dict(zip(acts, shipped().values(known, acts), strict=True))
        by_features: dict[tuple[float, ...], int] = {}
        for act in acts:
            other = by_features.setdefault(tuple(dense(known, act)), act)
            assert values[act] == values[other]
            equal += act != other
    assert equal > 50


def test_the_net_is_what_its_weights_say() -> None:
    rng = random.Random(1)
    size = (FEATURES + 2) * HIDDEN + 1
    numbers = [round(rng.gauss(0, 0.1), 3) for _ in range(size)]
    net = Net.read(pack(f"<{size}f", *numbers))
    for known, acts in questions(1, seed=1):
        for act, value in zip(acts, net.values(known, acts), strict=True):
            row = dense(known, act)
            hidden = [
                numbers[FEATURES * HIDDEN + unit] + sum(x * numbers[at * HIDDEN + unit] for at, x in enumerate(row))
                for unit in range(HIDDEN)
            ]
            output = numbers[(FEATURES + 1) * HIDDEN : -1]
            expected = numbers[-1] + sum(max(0, x) * w for x, w in zip(hidden, output, strict=True))
            assert value == pytest.approx(expected, abs=1e-4)


def test_features_of_an_act_are_those_of_the_hand_after_it() -> None:
    for known, acts in questions(6, seed=2):
        for act in acts:
            hand = known.hand | act if known.drawn else known.hand & ~act
            after = situation_features(known._replace(hand=hand))
            found = dense(known, act)
            for start, end in ((HELD, COUNT), (COUNT, SUITS), (SUITS, ODDS)):
                assert found[start:end] == pytest.approx(after[start:end])


def test_acts_of_nearly_equal_worth_are_mixed_and_no_others() -> None:
    values = [0.49 - FARTHEST * TEMPERATURE, 0.5, 0.5 - TEMPERATURE, -1.0]
    chosen = [mixed(values, step / 1000) for step in range(1000)]
    assert set(chosen) == {1, 2}
    assert chosen.count(1) / chosen.count(2) == pytest.approx(2.718, rel=0.02)
    assert [mixed([0.3], luck) for luck in (0.0, 0.999999)] == [0, 0]


def test_a_share_is_between_0_and_1() -> None:
    assert [share_of(-50) < 0.01, share_of(0) == 0.5, share_of(50) > 0.99] == [True] * 3
    for position in positions(CASE, 20, seed=4):
        situation: Any = position.situation()
        judged = PLAYER.judge(situation, PLAYER.candidates(situation))
        assert all(0 < share < 1 for share in judged)


def test_it_wins_more_often_than_rules_of_thumb() -> None:
    """More than two thirds over many matches (docs/computer-players.md); here 120 are played, and 0.55 is three
    deviations below."""
    rng, total = random.Random(5), 0.0
    for _ in range(60):
        opened = dealt(rng)
        for mine in range(2):
            table = opened.copy()
            while (seat := table.asked()) is not None:
                known = known_at(table, seat)
                acts = table.candidates()
                values = shipped().values(known, acts) if seat == mine else []
                act = acts[mixed(values, rng.random())] if values else by_rule_of_thumb(known)
                table.play(act, rng)
            total += table.share(mine)
    assert total / 120 > 0.55
