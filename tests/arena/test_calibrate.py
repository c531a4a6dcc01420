"""Calibration: slopes and leads are found, what ships is true of matches, and planted faults are seen."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from math import exp, log
from pathlib import Path

import pytest

from engines import GAMES
from engines.players.levels import LEVELS
from engines.players.review.chances import COLUMNS, PERSON, Chances, Trust, chances_of, read, shipped
from engines.players.unbreakable import player as unbreakable
from engines.unbreakable import Options as Unbreakable
from tests.arena.calibrate import (
    Said,
    Seen,
    Setting,
    brier_of,
    error_of,
    kinds_of,
    learned,
    played,
    rows_in,
    said_in,
    settings,
    write,
)

HAYMAKER = Setting(GAMES["haymaker"], GAMES["haymaker"].info.presets["default"], 2)
SHORT = Setting(GAMES["unbreakable"], Unbreakable(match_hand=3, turn_limit=30, pace="swift"), 2)
"""Half of such matches end by their limit."""


def true_with(share: float, slope: float, lead: float) -> float:
    """A seat's true chance of two, where a judge said this share, and the seat has a lead."""
    weight = exp(slope * log(share / (1 - share)) + lead)
    return weight / (1 + weight)


def made_up(count: int, slope: float, lead: float) -> list[Said]:
    """What a judge said, if these would make it true: a hard computer plays against a person."""
    rng, found = random.Random(1), []
    for _ in range(count):
        share = rng.uniform(0.05, 0.95)
        won = float(rng.random() < true_with(share, slope, lead))
        found.append(Said("0", 0, (share, 1 - share), ("hard", PERSON), (0,), (won, 1 - won)))
    return found


def seen(found: Iterable[Said], chances: Chances) -> list[Seen]:
    """What the curve says of these, and what happened."""
    return [Seen(*pair) for each in found for pair in zip(each.true(chances), each.happened, strict=True)]


def said(setting: Setting, players: Sequence[str], after: int, count: int, seed: int = 1) -> list[Said]:
    """What is said after so many acts of some matches."""
    rng = random.Random(seed)
    found: list[Said] = []
    for _ in range(count):
        stages = played(setting, players, rng)
        found += said_in(stages, setting, tuple(players), lambda _: {"then": after}, 1)
    return found


# ---------------------------------------------------------------------------------------------- learning


def test_slopes_and_leads_that_were_put_in_are_found() -> None:
    found = made_up(4000, slope=0.5, lead=0.8)
    trusts = learned(found, ["hard", PERSON])
    assert (trusts["hard"].slope + trusts[PERSON].slope) / 2 == pytest.approx(0.5, abs=0.1)
    lead = trusts["hard"].lead + trusts["hard"].asked - trusts[PERSON].lead
    assert lead == pytest.approx(0.8, abs=0.15)
    chances = Chances((0,), (trusts,))
    assert error_of(seen(found, chances)) < 0.03
    assert error_of(seen(found, Chances())) > 0.1
    assert brier_of(seen(found, chances)) < brier_of(seen(found, Chances())) - 0.01


def test_a_judge_who_tells_nothing_is_shrunk_to_nothing_and_never_turned_round() -> None:
    for slope in (0.0, -1.0):
        trusts = learned(made_up(3000, slope, lead=0.0), ["hard", PERSON])
        assert all(0 <= trust.slope < 0.25 for trust in trusts.values())


def test_nobody_plays_at_a_level_that_is_not_offered() -> None:
    swift = next(setting for setting in settings() if setting.setup.setting == "swift")
    assert kinds_of(swift, searching=True) == [PERSON, "normal"]
    assert "hard" in kinds_of(HAYMAKER, searching=False)


def test_a_table_takes_the_place_of_its_own_rows_only(tmp_path: Path) -> None:
    file = tmp_path / "chances.csv"
    rows = [("haymaker", "", "2", "0", kind, "1.000", "0.000", "0.000", "10") for kind in (PERSON, "hard")]
    others = [("unbreakable", "classic", "2", "0", PERSON, "0.500", "0.000", "0.000", "10")]
    write(file, COLUMNS, rows + others)
    write(file, COLUMNS, rows[:1])
    assert rows_in(file) == rows[:1] + others
    assert len(read(file.read_text(encoding="utf-8").splitlines())) == 2


# ---------------------------------------------------------------------------------------------- what ships


def test_what_ships_is_of_games_and_players_that_there_are() -> None:
    setups = {setting.setup for setting in settings()}
    assert shipped()
    for setup, found in shipped().items():
        assert setup in setups
        assert found.acts[0] == 0
        assert all({*trusts} <= {PERSON, *LEVELS[setup.game]} for trusts in found.trusts)
        assert all(trust.slope >= 0 for trusts in found.trusts for trust in trusts.values())


def test_more_is_never_said_to_be_less_and_the_whole_win_is_shared() -> None:
    players = ("easy", "hard")
    for after in (0, 3, 9, 20, 500):
        found = chances_of("haymaker", HAYMAKER.options, 2)
        values = [found.true((share / 20, 1 - share / 20), players, after, (0,)) for share in range(1, 20)]
        assert [each[0] for each in values] == sorted(each[0] for each in values)
        assert all(sum(each) == pytest.approx(1) for each in values)
    assert chances_of("haymaker", HAYMAKER.options, 2).true((0.0, 1.0), players, 5, ()) == (0.0, 1.0)


def test_the_curve_knows_who_plays_and_that_the_first_judge_thinks_too_well_of_itself() -> None:
    found = chances_of("haymaker", HAYMAKER.options, 2)
    even = (0.5, 0.5)
    assert found.true(even, ("hard", "hard"), 0, ()) == pytest.approx(even)
    assert found.true(even, ("hard", PERSON), 0, ())[0] > 0.6
    assert found.true((0.65, 0.35), ("hard", "hard"), 0, (0,))[0] < 0.62


def test_nobody_is_known_but_who_was_measured_at_each_of_the_moments() -> None:
    found = chances_of("haymaker", HAYMAKER.options, 2)
    assert found.know(("hard", PERSON))
    assert not found.know(("hard", "nobody"))
    assert not replace(found, acts=(*found.acts, 99), trusts=(*found.trusts, {PERSON: Trust()})).know(("hard", PERSON))
    assert not Chances().know((PERSON,))


def turned_round(chances: Chances) -> Chances:
    """The chances as if the weakest were the strongest, and the first acts told most."""
    trusts = [
        {kind: Trust(trust.slope, -trust.lead, -trust.asked) for kind, trust in each.items()}
        for each in reversed(chances.trusts)
    ]
    return replace(chances, trusts=tuple(trusts))


def what_ships_is_truer_than_the_judge_alone_and_than_a_reversed_table(_monkeypatch: pytest.MonkeyPatch) -> None:
    found = said(HAYMAKER, ("normal", PERSON), after=0, count=250)
    found += said(HAYMAKER, (PERSON, "normal"), after=0, count=250)
    chances = chances_of("haymaker", HAYMAKER.options, 2)
    right, alone, wrong = (seen(found, each) for each in (chances, Chances(), turned_round(chances)))
    assert error_of(right) < 0.05 < error_of(alone) < error_of(wrong)
    assert brier_of(right) < brier_of(alone) < brier_of(wrong)


def near_its_limit_unbreakable_is_judged_rightly_and_not_by_a_judge_that_ignores_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def near_the_limit() -> list[Seen]:
        return seen(said(SHORT, ("master", "master"), after=28, count=400), Chances())

    right = near_the_limit()
    monkeypatch.setattr(unbreakable, "left_after", lambda *_: None)
    wrong = near_the_limit()
    assert len(right) == len(wrong) > 150
    assert error_of(right) < 0.1
    assert error_of(wrong) > 0.15
    assert brier_of(right) < brier_of(wrong) - 0.03


@pytest.mark.nightly(rare=True)  # hundreds of matches each
@pytest.mark.parametrize(
    "law",
    [
        what_ships_is_truer_than_the_judge_alone_and_than_a_reversed_table,
        near_its_limit_unbreakable_is_judged_rightly_and_not_by_a_judge_that_ignores_it,
    ],
)
def test_of_matches_what_is_said_is_true(
    law: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    law(monkeypatch)
