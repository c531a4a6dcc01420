"""Transcripts are written for one game, where they are missing, within a bound, and else it is said what to do."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engines import GAMES, haymaker
from engines.game import Facts, fold
from laws import golden
from laws.case import GameCase, Search
from laws.golden import Bound
from tests.games.cases import case_of

FEW = Bound(tries=2_000, seconds=20.0)


@pytest.fixture
def case(tmp_path: Path) -> GameCase:
    """Haymaker, its transcripts elsewhere, and two of its endings."""
    return replace(
        case_of("haymaker"), endings=("knockout", "resignation"), golden_folder=tmp_path / "golden", longest_golden=60
    )


def test_what_is_missing_is_written_and_nothing_else(case: GameCase) -> None:
    folder = case.golden_folder
    folder.mkdir()
    for kept in ("ciq-time.txt", "haymaker-resignation.txt"):
        (folder / kept).write_text("of its day")
    assert golden.write(case, bound=FEW) == ([folder / "haymaker-knockout.txt"], [])
    text = (folder / "haymaker-knockout.txt").read_text()
    assert golden.kept(case, *golden.read(case, text)) == text
    assert "outcome: Outcome kind=knockout " in text
    assert 8 <= len(golden.read(case, text)[1]) <= 60
    assert golden.write(case, bound=FEW) == ([], [])
    assert (folder / "haymaker-resignation.txt").read_text() == "of its day"
    assert golden.write(case, replace=True, bound=FEW)[0] == [golden.file_of(case, ending) for ending in case.endings]
    assert (folder / "ciq-time.txt").read_text() == "of its day"


def test_an_ending_that_is_never_met_is_said_in_a_sentence_and_the_others_are_written(case: GameCase) -> None:
    case = replace(case, endings=("flood", "knockout"))
    written, missing = golden.write(case, bound=Bound(tries=30, seconds=20.0))
    assert written == [golden.file_of(case, "knockout")]
    (sentence,) = missing
    assert "haymaker: no match that ends by 'flood' was found among 30" in sentence
    assert "golden_searches=" in sentence


def test_it_is_looked_for_where_the_case_says(case: GameCase) -> None:
    ciq = replace(case_of("ciq"), golden_searches={"decision": Search("short", 4)})
    deal = golden.find(ciq, "decision", FEW).deal
    assert (deal.options, deal.seats) == (ciq.settings["short"], 4)


def test_the_command_says_what_is_missing(case: GameCase, capsys: pytest.CaptureFixture[str]) -> None:
    assert golden.main(["tests.games.test_whist"]) == 2
    assert "there is no module tests.games.test_whist" in capsys.readouterr().err
    assert golden.main(["tests.laws.test_golden:UNREACHED", "--tries", "5"]) == 1
    assert "no match that ends by 'flood'" in capsys.readouterr().err
    assert golden.main(["tests.games.test_haymaker"]) == 0
    assert capsys.readouterr().out == ""


def test_the_command_prints_a_kept_match_as_text_that_can_be_read(capsys: pytest.CaptureFixture[str]) -> None:
    assert golden.main(["tests.games.test_haymaker", "--show", "knockout"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("game: haymaker\n")
    assert "\n\n> begins\n  DealerDrawn dealer=" in shown
    assert re.search(r"\n> seat \d: \S+\n  AttackLaid seat=\d cards=.*\n  all: Public dealer=", shown)
    assert shown.rstrip().splitlines()[-1].startswith("outcome: Outcome kind=knockout ")
    assert golden.main(["tests.games.test_haymaker", "--show", "flood"]) == 1
    assert "there is no " in capsys.readouterr().err


UNREACHED = replace(case_of("haymaker"), endings=("flood",))


def test_every_transcript_is_of_a_game() -> None:
    (folder,) = {case_of(key).golden_folder for key in GAMES}
    assert set(folder.iterdir()) == {file for key in GAMES for file in golden.files_of(case_of(key))}


class Hardy(haymaker.Haymaker):
    """Another rule: whoever takes a hit draws nothing."""

    def decide(self, *given: Any) -> Any:
        facts = super().decide(*given)
        return Facts(facts[:1], fold(self, given[0], facts[:1])) if isinstance(given[2], haymaker.TakeHit) else facts


@pytest.mark.parametrize("changed", ["rule", "file"])
def test_a_match_that_goes_otherwise_is_said_with_what_to_do(changed: str) -> None:
    case = case_of("haymaker")
    text = golden.file_of(case, "knockout").read_text()
    golden.it_is_played_again(case, text)
    case, text = (
        (replace(case, game=Hardy()), text) if changed == "rule" else (case, text.replace("seats: 2", "seats: 2 "))
    )
    with pytest.raises(AssertionError, match=r"raise their `rules_version` and .* docs/changing-rules\.md"):
        golden.it_is_played_again(case, text)
