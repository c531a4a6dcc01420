"""The page about balance: that no preset is missing on it, and that its rows are kept and measured."""

from __future__ import annotations

from engines import GAMES
from engines.ciq import CIQ
from engines.tivmiv import TivMiv
from tests.arena.balance import COLUMNS, PAGE, Row, measured, page_of, rows_in, wanted, with_interval
from tests.arena.matches import RANDOM, Setting


def test_every_preset_of_every_game_is_on_the_page_for_each_number_of_players() -> None:
    named = {key[:3] for key in rows_in(PAGE.read_text(encoding="utf-8"))}
    assert {row.key[:3] for row in wanted()} <= named
    assert {(game.info.title, preset) for game in GAMES.values() for preset in game.info.presets} <= {
        key[:2] for key in named
    }


def test_rows_that_are_not_measured_again_stay() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert rows_in(page_of(rows_in(page))).items() <= rows_in(page).items()
    one = next(iter(wanted())).key
    rows = {**rows_in(page), one: "| changed |"}
    assert "| changed |" in page_of(rows)


def test_an_interval_of_few_matches_is_wide() -> None:
    assert with_interval(0.0, 3) == "0.000 (0.00 to 0.56)"
    assert with_interval(0.5, 1000) == "0.500 (0.47 to 0.53)"


def test_a_row_says_who_wins_how_long_it_takes_and_how_it_ends() -> None:
    cells = measured(Row(Setting(CIQ(), CIQ.info.presets["quick"], 3), "quick", "normal"), 0, 2)
    assert len(cells) == len(COLUMNS)
    assert cells[:4] == ("CIQ", "quick", "3", "normal")
    assert cells[5] == "0.333"
    assert cells[-1] == "2"
    assert "%" in cells[8]


def test_a_race_is_played_by_everybody_at_the_same_pace() -> None:
    cells = measured(Row(Setting(TivMiv(), TivMiv.info.presets["short"], 2), "short", RANDOM), 0, 1)
    assert int(cells[7]) > 0
    assert int(cells[6].split()[0]) > 50
