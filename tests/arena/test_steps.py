"""The levels' steps, on few matches of fixed deals: `python -m tests.arena.steps` plays enough to tell the figures."""

from __future__ import annotations

import pytest

from engines import GAMES
from engines.players.levels import LEVELS, PLAYERS, levels_for
from engines.unbreakable import Options as Unbreakable
from tests.arena.matches import Setting
from tests.arena.quick import level
from tests.arena.steps import BEGINNERS, pairings, settings, share

SETTINGS = [(key, preset, setting) for key in BEGINNERS for preset, setting in settings(key)]
DEALS = {"haymaker": 100, "unbreakable": 50, "ciq": 40, "champions": 100}
QUICK = ("gentle", "easy", "casual", "steady", "normal", "skilled")
"""Levels that don't search."""


def test_every_game_of_turns_is_measured_where_the_bot_chooses() -> None:
    assert BEGINNERS.keys() == PLAYERS.keys()
    for key, preset, setting in SETTINGS:
        assert setting.options == GAMES[key].info.presets[preset]
    assert {(key, preset) for key, preset, _ in SETTINGS} >= {
        (key, GAMES[key].info.recommended_for(2)) for key in PLAYERS
    } | {("unbreakable", "default")}


@pytest.mark.nightly(rare=True)  # thousands of matches
@pytest.mark.parametrize(("key", "preset", "setting"), SETTINGS, ids=lambda each: each if isinstance(each, str) else "")
def test_a_beginner_holds_out_against_the_first_level_and_each_beats_the_one_below(
    key: str, preset: str, setting: Setting
) -> None:
    for name, one, against, other in pairings(key, setting):
        if name in BEGINNERS[key]:
            found = share(setting, one, other, DEALS[key])
            assert 0.36 < found.share < 0.68, f"{name} against {against}: {found}"
        elif name in QUICK:
            found = share(setting, one, other, DEALS[key])
            assert 0.53 < found.share < 0.83, f"{name} against {against} ({preset}): {found}"


def test_a_level_against_itself_wins_half() -> None:
    (_, setting), *_ = settings("champions")
    assert 0.4 < share(setting, level("champions", "gentle"), level("champions", "gentle"), 100).share < 0.6


def test_where_no_level_would_be_better_there_is_one() -> None:
    assert list(levels_for("unbreakable", Unbreakable(pace="swift"), 2)) == ["normal"]
    assert list(levels_for("unbreakable", Unbreakable(), 2)) == list(LEVELS["unbreakable"])
    short = levels_for("unbreakable", GAMES["unbreakable"].info.presets["short"], 2)
    assert list(short) == ["gentle", "easy", "casual", "normal", "skilled", "master"]
