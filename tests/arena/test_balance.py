"""The figures of balance: that no preset is missing, and that rows are kept and measured."""

from __future__ import annotations

from engines import GAMES
from engines.ciq import CIQ
from engines.tivmiv import TivMiv
from tests.arena.balance import (
    COLUMNS,
    DATA,
    FEWEST,
    PAGE_FILE,
    RANDOM,
    Row,
    measured,
    page,
    rows_in,
    text_of,
    wanted,
    with_interval,
)
from tests.arena.matches import Setting


def test_every_preset_of_a_measured_game_is_measured_for_each_number_of_players() -> None:
    """A game that has just been added need not be."""
    named = {key[:3] for key in rows_in(DATA.read_text(encoding="utf-8"))}
    titles = {title for title, *_ in named}
    assert len(titles) >= 5
    assert {row.key[:3] for row in wanted() if row.key[0] in titles} <= named
    presets = {(game.info.title, preset) for game in GAMES.values() for preset in game.info.presets}
    assert {each for each in presets if each[0] in titles} <= {key[:2] for key in named}


def test_rows_that_are_not_measured_again_stay() -> None:
    rows = rows_in(DATA.read_text(encoding="utf-8"))
    assert rows_in(text_of(rows)).items() <= rows.items()
    one = next(iter(wanted())).key
    changed = (*one, "changed", *rows[one][5:])
    assert rows_in(text_of({**rows, one: changed}))[one] == changed


def test_an_interval_of_few_matches_is_wide() -> None:
    assert with_interval(0.0, 3) == "0.000 (0.00 to 0.56)"
    assert with_interval(0.5, 1000) == "0.500 (0.47 to 0.53)"


def test_a_row_says_who_wins_how_long_it_takes_and_how_it_ends() -> None:
    cells = measured(Row(Setting(CIQ(), CIQ.info.presets["quick"], 3), "quick", "skilled"), 0, 2)
    assert len(cells) == len(COLUMNS)
    assert cells[:4] == ("CIQ", "quick", "3", "skilled")
    assert cells[5] == "0.333"
    assert cells[-1] == "2"
    assert "%" in cells[8]


def test_a_race_is_played_by_everybody_at_the_same_pace() -> None:
    cells = measured(Row(Setting(TivMiv(), TivMiv.info.presets["short"], 2), "short", RANDOM), 0, 1)
    assert int(cells[7]) > 0
    assert int(cells[6].split()[0]) > 50


def test_the_page_is_written_from_the_file() -> None:
    assert PAGE_FILE.read_text(encoding="utf-8") == page(rows_in(DATA.read_text(encoding="utf-8")))


def row(first: str, matches: str) -> dict[tuple[str, str, str, str], tuple[str, ...]]:
    key = ("Duel", "default", "2", "normal")
    return {key: (*key, first, "0.500", "20 (10 to 30)", "5", "knockout 100.0 %", matches)}


def test_the_page_has_no_row_of_few_matches() -> None:
    assert FEWEST == 200
    assert "Duel" not in page(row("0.700 (0.63 to 0.76)", "199"))
    assert "| Duel | default | 2 | normal | 0.700" in page(row("0.700 (0.63 to 0.76)", "200"))


def test_the_page_says_where_the_first_seat_wins_more_or_less_than_chance_explains() -> None:
    for first, lean in (("0.580 (0.56 to 0.60)", "more"), ("0.440 (0.42 to 0.46)", "less")):
        assert f"| {first}, {lean} |" in page(row(first, "2,000"))
    assert "Duel" not in page(row("0.515 (0.49 to 0.54)", "2,000"))
