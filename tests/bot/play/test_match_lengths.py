"""How long a match is expected to last: every game, preset and number of players is in the table."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.play.clocks import match_lengths
from bot.play.clocks.match_lengths import LENGTHS, expected_minutes
from bot.time_controls import TIME_CONTROLS, time_control
from engines import GAMES as OURS
from engines import champions, ciq, tivmiv, unbreakable
from engines.options import settled
from laws.play import fits
from tests.bench.lengths import SAID

NORMAL = TIME_CONTROLS["normal"]
SHIPPED = [
    (key, preset, seats)
    for key, game in OURS.items()
    if key in LENGTHS
    for preset, options in game.info.presets.items()
    for seats in game.info.seats
    if fits(game, options, seats)
]


def test_the_table_has_the_five_games() -> None:
    """A game that is only begun may not have been measured yet."""
    assert LENGTHS.keys() >= {"haymaker", "unbreakable", "ciq", "tivmiv", "champions"}


@pytest.mark.parametrize(("key", "preset", "seats"), SHIPPED)
def test_every_preset_has_an_entry_of_its_own_for_every_number_of_players(key: str, preset: str, seats: int) -> None:
    options = settled(OURS[key].info.presets[preset])
    rows = [
        row
        for row in LENGTHS[key]
        if seats in row.minutes and all(getattr(options, name) == value for name, value in row.options.items())
    ]
    assert len(rows) == 1
    assert expected_minutes(key, options, seats, NORMAL) == rows[0].minutes[seats]
    assert rows[0].minutes[seats] in SAID


def test_every_row_names_options_that_its_game_takes() -> None:
    for key, rows in LENGTHS.items():
        for row in rows:
            OURS[key].info.options(**row.options)
            assert set(row.minutes) <= set(OURS[key].info.seats)


def test_other_options_get_the_row_that_is_most_like_them() -> None:
    long = expected_minutes("tivmiv", tivmiv.Options(phases=9), 2, NORMAL)
    assert long == expected_minutes("tivmiv", tivmiv.Options(phases=10), 2, NORMAL)
    near = settled(unbreakable.Options(match_hand=3, pace="swift", turn_limit=28))
    assert expected_minutes("unbreakable", near, 2, NORMAL) == 5
    assert expected_minutes("unbreakable", settled(unbreakable.Options(turn_limit="none")), 2, NORMAL) == 30
    assert expected_minutes("ciq", ciq.Options(decks=4), 2, NORMAL) in SAID
    blind = replace(champions.Options(), die="soft_blind")
    assert expected_minutes("champions", blind, 5, NORMAL) == 10


def test_in_slow_play_nobody_can_say_but_a_race_is_always_live() -> None:
    for slow in ("daily", "600s"):
        assert expected_minutes("ciq", ciq.Options(), 3, time_control(slow)) is None
        assert expected_minutes("tivmiv", tivmiv.Options(), 3, time_control(slow)) == 10
    assert expected_minutes("ciq", ciq.Options(), 3, time_control("599s")) == 15


def test_nothing_is_said_of_a_game_or_a_number_of_players_that_nobody_measured(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert expected_minutes("haymaker", OURS["haymaker"].info.options(), 3, NORMAL) is None
    monkeypatch.setattr(match_lengths, "LENGTHS", {})
    assert expected_minutes("haymaker", OURS["haymaker"].info.options(), 2, NORMAL) is None
