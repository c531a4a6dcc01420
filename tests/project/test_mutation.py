"""`make mutation` puts in the faults that it says, and tells those that tests notice from those they do not."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tools.mutation.__main__ import AREAS, groups
from tools.mutation.__main__ import test_files as files_for
from tools.mutation.mutants import mutants

ROOT = Path(__file__).parents[2]

RULES = '''\
"""Rules with a 1 in their docstring."""

def winner(mine: int, yours: int = 0) -> str:
    """Who won."""
    if mine < 0:
        raise ValueError("1")
    if mine > yours and not yours == 7:
        return "me"
    return "you"


def forever() -> None:
    while not done(True):
        break


def done(now: bool) -> bool:
    return bool(now)
'''

TESTS = """\
from rules import forever, winner

def test_the_higher_one_wins() -> None:
    assert winner(2, 1) == "me"
    assert winner(1, 2) == "you"

def test_it_ends() -> None:
    forever()
"""

ATTEMPT = """\
import json, sys
from pathlib import Path
from tools.mutation.mutants import mutants
from tools.mutation.trial import attempt
root, seconds, first_line = Path(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3])
tests, log = [str(root / "test_rules.py")], root / "log"
found = [None, *(one for one in mutants(root, Path("rules.py")) if one.line >= first_line)]
print(json.dumps({str(one): attempt(root, one, tests, seconds, log).value for one in found}))
"""


def attempts(project: Path, seconds: int = 10, first_line: int = 1) -> subprocess.CompletedProcess[str]:
    """What became of the faults in the project's module from a line on, each tried for so many seconds."""
    command = [sys.executable, "-c", ATTEMPT, str(project), str(seconds), str(first_line)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A module with its tests."""
    (tmp_path / "rules.py").write_text(RULES)
    (tmp_path / "test_rules.py").write_text(TESTS)
    return tmp_path


def test_each_fault_changes_one_place_and_none_what_runs_no_rule(project: Path) -> None:
    assert [(one.line, one.was, one.becomes) for one in mutants(project, Path("rules.py"))] == [
        (3, "0", "1"),
        (5, "mine < 0", "mine <= 0"),
        (5, "0", "1"),
        (6, "raise ValueError('1')", "pass"),
        (7, "mine > yours and (not yours == 7)", "mine > yours or not yours == 7"),
        (7, "mine > yours and (not yours == 7)", "not (mine > yours and (not yours == 7))"),
        (7, "mine > yours", "mine >= yours"),
        (7, "not yours == 7", "yours == 7"),
        (7, "yours == 7", "yours != 7"),
        (7, "7", "8"),
        (13, "not done(True)", "done(True)"),
        (13, "True", "False"),
        (14, "break", "continue"),
    ]


@pytest.mark.nightly  # a run of tests for each fault
def test_what_the_tests_notice_is_told_from_what_they_do_not(project: Path) -> None:
    results = json.loads(attempts(project).stdout)
    assert results.pop("None") == "survived"  # the tests pass on the module as it is
    survived = {one.partition("[")[2] for one, result in results.items() if result == "survived"}
    assert survived == {
        "0  ->  1]",  # the value where nobody names one, and the bound below
        "mine < 0  ->  mine <= 0]",
        "raise ValueError('1')  ->  pass]",
        "mine > yours  ->  mine >= yours]",
        "7  ->  8]",
        "not done(True)  ->  done(True)]",
        "True  ->  False]",
        "break  ->  continue]",
    }
    assert set(results.values()) == {"survived", "killed"}
    assert (project / "rules.py").read_text() == RULES


@pytest.mark.nightly  # reads the whole core
def test_every_group_has_faults_and_the_tests_that_should_notice_them() -> None:
    found = groups()
    games = sorted(rules.parent.name for rules in (ROOT / "engines").glob("*/rules.py"))
    assert sorted(found) == sorted([*games, "shared", *AREAS])
    assert [group for group, faults in found.items() if len(faults) <= 100] == []
    for group, faults in found.items():
        files = [Path(file) for file in files_for(group, games)]
        if group in AREAS:
            assert {one.file.is_relative_to(AREAS[group]) for one in faults} == {True}
            assert files == [ROOT / "tests" / AREAS[group]]
            assert files[0].is_dir()
        else:
            assert all(file.is_file() for file in files)
            named = {game for game in games if any(game in file.name for file in files)}
            assert named == ({group} if group in games else set(games))
