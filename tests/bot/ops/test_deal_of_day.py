"""`cardroom deal-of-day`: repeats the choice of a deal of the day for an exported attempt."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from bot.launcher import main
from bot.play.deals.match_export import MOST_BYTES, ExportedMatch
from bot.play.deals.sealing import deal_of
from bot.play.match_state import codec
from bot.store.queries.matches import UNSALTED
from bot.store.special_ids import computer_id
from engines.players import deal_of_day
from engines.players.deal_of_day import DayRequest, choose, program, seed_of
from tests.bot.play.exported import exported, rechained, sealed, text_of

ROOT = bytes(range(32))


@cache
def attempt(level: str | None = "hard") -> ExportedMatch:
    """An attempt at the deal that `ROOT` leads to, against computers of a level."""
    match = exported("haymaker")
    seats = (match.row.seats[0], match.row.seats[1] if level is None else computer_id(level))
    row = replace(match.row, salts=(UNSALTED, UNSALTED), seats=seats)
    request = DayRequest(row.game, codec(row.game).decode(row.options), deal_of(row), level or "hard", ROOT)
    seed = seed_of(ROOT, choose(request).count)
    computer = None if level is None else f"{level} 1"
    records = [replace(each, computer=computer if each.actor == 1 else None) for each in match.records]
    return rechained(replace(match, row=sealed(replace(row, seed=seed)), records=tuple(records)))


@pytest.fixture(scope="module", autouse=True)
def _few_rollouts() -> Iterator[None]:
    """What a choice follows from does not depend on how many rollouts there are."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(deal_of_day, "ROLLOUTS", 8)
        patch.setattr(deal_of_day, "MATCHES", 40)
        yield


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "match.json"
    path.write_bytes(text_of(attempt()))
    return path


def test_the_root_of_a_deal_leads_to_it_again(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["deal-of-day", str(file), ROOT.hex()]) == 0
    printed = capsys.readouterr().out
    assert program("haymaker", "hard") in printed
    assert "ok: it has the seed of this match." in printed


def test_another_root_leads_elsewhere(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["deal-of-day", str(file), bytes(32).hex()]) == 1
    assert "FAIL" in capsys.readouterr().out


@pytest.mark.parametrize("root", ["", "12", "x" * 64])
def test_what_is_no_root_is_a_wrong_argument(file: Path, root: str) -> None:
    assert main(["deal-of-day", str(file), root]) == 2


def test_what_cannot_be_read_or_repeated_is_said(tmp_path: Path) -> None:
    assert main(["deal-of-day", str(tmp_path / "none.json"), ROOT.hex()]) == 65
    other = tmp_path / "other.json"
    other.write_text("{}")
    assert main(["deal-of-day", str(other), ROOT.hex()]) == 65
    other.write_bytes(b" " * (MOST_BYTES + 1))
    assert main(["deal-of-day", str(other), ROOT.hex()]) == 65
    other.write_bytes(text_of(attempt(level=None)))
    assert main(["deal-of-day", str(other), ROOT.hex()]) == 69
    match = attempt()
    other.write_bytes(text_of(rechained(replace(match, row=replace(match.row, options="[]")))))
    assert main(["deal-of-day", str(other), ROOT.hex()]) == 69


def test_a_made_up_number_of_seats_or_packs_is_said_to_be_no_such_match(tmp_path: Path) -> None:
    path = tmp_path / "made_up.json"
    of_three = attempt().row
    of_three = replace(of_three, salts=(UNSALTED,) * 3, seats=(*of_three.seats, computer_id("hard", of_three.seats)))
    packs = exported("ciq").row
    packs = replace(packs, options=packs.options.replace('"decks":null', '"decks":12'), seats=(-1, computer_id("hard")))
    for match, row in ((attempt(), of_three), (exported("ciq"), packs)):
        path.write_bytes(text_of(rechained(replace(match, row=sealed(row)))))
        assert main(["deal-of-day", str(path), ROOT.hex()]) == 69
