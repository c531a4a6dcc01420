"""Haymaker's fast twin: what it does is what the rules and the shipped player do, and it learns the same again."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from engines.players.haymaker.net import HIDDEN, Net
from engines.players.haymaker.rules_of_thumb import by_rule_of_thumb
from laws.suite import share_of
from tests.arena.twin import compare
from tests.arena.twin.build import answers, compiler

REQUIRED = "COMPILER_REQUIRED"
"""If this is set in the environment, a missing compiler is an error."""

pytestmark = [
    pytest.mark.nightly,  # whichever is the first takes seconds to compile it
    pytest.mark.slow,  # compiles the twin and plays matches on the rules engine
    pytest.mark.skipif(
        compiler() is None and REQUIRED not in os.environ,
        reason="only training needs a C++ compiler, and there is none",
    ),
]


def test_the_twin_equals_the_rules_and_the_shipped_player() -> None:
    """`python -m tests.arena.twin.compare` compares 10,000 matches."""
    found = compare.compared(share_of(40))
    assert found.questions > 20 * found.matches
    assert found.refused > found.matches


def test_a_twin_that_differs_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compare, "by_rule_of_thumb", lambda known: by_rule_of_thumb(known._replace(theirs=0)))
    with pytest.raises(AssertionError, match="by the rules"):
        compare.compared(40)


def test_training_and_attacking_again_come_to_the_same(tmp_path: Path) -> None:
    first, second = tmp_path / "first.bin", tmp_path / "second.bin"
    for out in (first, second):
        answers("train", begin="nothing", more=HIDDEN, matches=200, every=100, judged=10, temperature=0.03, out=out)
    assert Net.read(first.read_bytes()) == Net.read(second.read_bytes())
    attacks = [answers("attack", begin=first, level=first, matches=200, judged=10) for _ in range(2)]
    assert attacks[0] == attacks[1]
    assert attacks[0].splitlines()[-1].split()[0] == "kept"


def test_no_attacker_wins_more_than_the_exact_best_response_in_a_small_game(tmp_path: Path) -> None:
    """A player that has hardly learned can be exploited, and one that learned against it finds most of that."""
    small, weights = {"ranks": 3, "suits": 2, "dealt": 2, "pile": 2}, tmp_path / "weights.bin"
    answers("train", begin="nothing", more=32, matches=500, every=500, judged=1, out=weights, **small)
    exact = [float(line.split()[2]) for line in answers("exploit", level=weights, **small).splitlines()]
    attack = answers("attack", begin=weights, level=weights, matches=20_000, judged=1000, **small).splitlines()[-1]
    assert 0.5 < sum(exact) / 2 < 1
    assert -0.05 < float(attack.split()[2]) - sum(exact) / 2 < 0.02
