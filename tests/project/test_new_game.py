"""`make new-game` copies an example into a copy of this project: all tests of games pass there, and it can be played.

The table in docs/adding-a-game.md has the files that a new game adds or changes, and no other file may change. If a
test of the project needs a line more for a new game, it fails in the copy, and is named.

All the project's tests of a game, and of all games, run in a copy of each kind every night. For one commit of three the
fast ones do, and those that look at all files, in one copy (`tests.nightly`). The examples have tests of their own
(`tests/packages`).
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from fnmatch import fnmatchcase
from functools import cache
from io import StringIO
from pathlib import Path
from typing import TypeAlias

import pytest

from engines import GAMES
from laws.suite import SHARE
from tests.conftest import FAST
from tools import new_game
from tools.new_game import MODELS, Name, Refused, free_letters, list_in_changelog, name_for, register

ROOT = Path(__file__).parents[2]
KEY, TITLE = "duchess", "The Duchess"
DUEL = MODELS["duel"]

AT_ONCE = (
    "tests/bot/art/test_images.py",
    "tests/cogs/daily/test_deals.py",
    "tests/cogs/actions/test_commands.py",
    "tests/cogs/lessons/test_lessons.py",
    "tests/engines/test_common_rulings.py",
    "tests/engines/test_counted.py",
    "tests/engines/test_rulings_documented.py",
    "tests/languages/test_commands.py",
    "tests/laws/test_buttons.py",
    "tests/laws/test_golden.py",
    "tests/project/test_catalogue.py",
    "tests/project/test_docs.py",
    "tests/project/test_github.py::test_the_forms_ask_for_the_game_and_list_none",
    "tests/project/test_import_law.py",
    "tests/project/test_layout.py",
    "tests/project/test_pages.py",
    "tests/end_to_end/test_lists.py::test_help_names_every_command_and_how_many_can_play_each_game",
    "tests/end_to_end/test_learn.py::test_lessons_are_offered_in_help_and_greeting",
    "tests/upgrades/test_logs.py::test_they_have_settings_of_their_own_and_end",
)
"""Tests of all games or all files together, which have no game's key in their names."""
ASKING = re.compile(r"\b(GAMES|PLAYERS|LEVELS|TABLES|ON_A_HAND|case_of)\b")
"""What a test file has that asks something of all games. Every night the others are looked through as well."""

RULES = {
    "duel": ("if first > second", "if first < second"),
    "turns": ("card.suit is top.suit or ", ""),
    "party": ("if face.rank > rank", "if face.rank < rank"),
    "race": ("in (1, 12)", "in (2, 11)"),
}
"""A rule of each kind, and another one in its place."""
NOTICING = ("tests/engines/test_planted.py", f"tests/games/test_{KEY}.py", "tests/upgrades/test_logs.py")
"""The tests that notice a rule which was changed without a new version, and one that is planted."""

LONGEST_RUN = 900
"""Seconds for the tests of the new game: a minute where nothing else runs, some at night."""


def run(copy: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """A program of Python's in the copy. Laws play a tenth of their matches there: the example that is copied has its
    own tests, in which they play all."""
    command, environ = [sys.executable, "-m", *words], {**os.environ, "LAWS_SHARE": "0.1"}
    return subprocess.run(
        command, cwd=copy, env=environ, capture_output=True, text=True, check=False, timeout=LONGEST_RUN
    )


def git(copy: Path, *words: str) -> str:
    """What git says in a folder."""
    who = ("-c", "user.name=Somebody", "-c", "user.email=somebody@example.com")
    return subprocess.run(["git", *who, *words], cwd=copy, capture_output=True, text=True, check=True).stdout


def changed(copy: Path) -> set[str]:
    """The files that are new or changed in the copy since its last commit."""
    listed = git(copy, "status", "--porcelain", "--untracked-files=all", "-z")
    return {entry[3:] for entry in listed.split("\0") if entry}


def documented(copy: Path) -> list[str]:
    """The files that the page says are written, for this game; some are patterns."""
    page = (copy / "docs" / "adding-a-game.md").read_text(encoding="utf-8")
    table = page.partition("| file | what is in it |\n")[2].partition("\n\n")[0]
    return [row.replace("<key>", KEY) for row in re.findall(r"^\| `([^`]+)` \|", table, re.MULTILINE)]


def undocumented(copy: Path) -> set[str]:
    """Files that are changed and not in the page's table, and rows of the table by which nothing is changed."""
    files, rows = changed(copy), documented(copy)
    unknown = {file for file in files if not any(fnmatchcase(file, row) for row in rows)}
    return unknown | {row for row in rows if not any(fnmatchcase(file, row) for file in files)}


def new_game_says(copy: Path, *words: str) -> tuple[str, str]:
    """What `make new-game` prints in the copy, and why it refuses."""
    with redirect_stdout(StringIO()) as said, redirect_stderr(StringIO()) as refused:
        code = new_game.main(words, copy)
    assert code == bool(refused.getvalue())
    return said.getvalue(), refused.getvalue()


def outcomes(copy: Path, *tests: str) -> subprocess.CompletedProcess[str]:
    """A run of tests in the copy, with one line of each failure."""
    return run(copy, "pytest", "-q", "-p", "no:cacheprovider", "--tb=line", *tests)


def named(test: str) -> str:
    """What pytest's -k selects a test by, or all tests of a file: its folders and its name."""
    return f"({' and '.join(re.split('/|::', test)[1:])})"


def failures(copy: Path, *tests: str) -> list[str]:
    """The tests that fail in the copy, by name."""
    done = outcomes(copy, *tests)
    failed = re.findall(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.MULTILINE)
    assert failed or done.returncode == 0, done.stdout + done.stderr
    return failed


Copies: TypeAlias = Callable[[str], Path]
"""From a kind of game to a copy of the project with a new game of this kind in it, not yet committed."""


@pytest.fixture(scope="module")
def copies(tmp_path_factory: pytest.TempPathFactory) -> Copies:
    """Makes each copy when it is first asked for."""
    folder = tmp_path_factory.mktemp("new_game")
    project = folder / "as it is"
    for name in git(ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0"):
        if name and (ROOT / name).is_file():
            (project / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, project / name)
    for compiled in ROOT.glob("[!.]*/**/__pycache__"):  # it takes ten seconds to compile it all again
        if (target := project / compiled.relative_to(ROOT)).parent.is_dir():
            shutil.copytree(compiled, target, ignore=shutil.ignore_patterns("*.pyc.*"))
    git(project, "init", "--quiet")
    git(project, "add", "--all")
    git(project, "commit", "--quiet", "--message", "as it is")

    @cache
    def copy(kind: str) -> Path:
        made = folder / kind
        shutil.copytree(project, made)
        said, _ = new_game_says(made, KEY, "--name", TITLE, "--kind", kind)
        assert set(re.findall(r"^    (\S+)$", said, re.MULTILINE)) == changed(made)
        return made

    return copy


# ---------------------------------------------------------------------------------------------- in a copy


@pytest.mark.nightly  # a copy is a project, with all of its tests
@pytest.mark.parametrize("kind", MODELS)
def test_exactly_the_files_on_the_page_are_written(copies: Copies, kind: str) -> None:
    assert undocumented(copies(kind)) == set()


@pytest.mark.nightly
@pytest.mark.parametrize("kind", MODELS)
def test_the_copy_is_formatted_and_linted(copies: Copies, kind: str) -> None:
    files = [file for file in changed(copies(kind)) if file.endswith(".py")]
    for words in (("check",), ("format", "--check")):
        done = run(copies(kind), "ruff", *words, "--no-cache", *files)
        assert done.returncode == 0, done.stdout


@pytest.mark.nightly
@pytest.mark.parametrize("kind", MODELS)
def test_nothing_of_the_example_is_left_in_it(copies: Copies, kind: str) -> None:
    model = MODELS[kind]
    names = rf"{model.key}|{model.class_name}|{model.title}|\b{model.letters}[-_]"
    for file in changed(copies(kind)) - set(new_game.CHANGES):
        assert not re.search(names, (copies(kind) / file).read_text(encoding="utf-8")), file
    sentences = (copies(kind) / new_game.CATALOGUE).read_text(encoding="utf-8")
    assert f'msgid "{model.key}.' not in sentences


@pytest.mark.nightly(rare=True)  # ten times what the others take
@pytest.mark.parametrize("kind", MODELS)
def test_every_test_of_the_new_game_and_of_all_games_together_passes(copies: Copies, kind: str) -> None:
    """In the whole of tests, whatever asks something of every game asks it of this one too."""
    copy = copies(kind)
    of_it = " or ".join([KEY, *map(named, AT_ONCE)])
    files = (file for file in (copy / "tests").rglob("test_*.py") if file.name != Path(__file__).name)
    asking = [file.relative_to(copy).as_posix() for file in files if ASKING.search(file.read_text("utf-8"))]
    if SHARE < 1:
        own = {file for file in changed(copy) if file.endswith(".py")}
        fast = [file for file in {*asking, *AT_ONCE, *own} if file.startswith(FAST)]
        apart = [file for file in AT_ONCE if not file.startswith(FAST)]
        assert failures(copy, "-m", "not page and not slow and not real_time", "-k", of_it, *fast, *apart) == []
    else:
        assert failures(copy, "-m", "not page", "-k", of_it, "tests") == []
        others = " and ".join(f"not {key}" for key in GAMES)
        assert failures(copy, "-m", "not page and not nightly", "-k", others, *asking) == []


@pytest.mark.nightly
@pytest.mark.parametrize("kind", MODELS)
def test_a_list_that_lacks_the_new_game_and_a_changed_rule_fail_by_name(copies: Copies, kind: str) -> None:
    copy = copies(kind)
    planted, rules = copy / "tests" / "engines" / "test_planted.py", copy / "engines" / f"{KEY}.py"
    before, (old, new) = rules.read_text(encoding="utf-8"), RULES[kind]
    assert old in before
    planted.write_text(
        "from engines import GAMES\n\n"
        "def test_every_game_is_listed() -> None:\n"
        "    assert set(GAMES) == {'champions', 'ciq', 'haymaker', 'tivmiv', 'unbreakable'}\n"
    )
    rules.write_text(before.replace(old, new), encoding="utf-8")
    try:
        done = outcomes(copy, "-k", f"planted or ({KEY} and (as_it_was or dealt_again))", *NOTICING)
        assert "FAILED tests/engines/test_planted.py::test_every_game_is_listed" in done.stdout
        assert f"the rules of {KEY} play a kept match otherwise" in done.stdout
        assert f"The rules of {KEY} have changed without a new version" in done.stdout
        assert done.stdout.count("docs/changing-rules.md") >= 2
        assert undocumented(copy) == {"tests/engines/test_planted.py"}
    finally:
        planted.unlink()
        rules.write_text(before, encoding="utf-8")


@pytest.mark.nightly
@pytest.mark.parametrize("kind", MODELS)
def test_a_second_game_waits_until_the_first_is_committed(copies: Copies, kind: str) -> None:
    before = changed(copies(kind))
    for key, reason in (
        (KEY, "There is a game called The Duchess already"),
        ("second", "Commit or stash your changes"),
    ):
        said, refused = new_game_says(copies(kind), key)
        assert said == ""
        assert refused.startswith(reason)
        assert refused.count("\n") == 1
    assert changed(copies(kind)) == before


# ---------------------------------------------------------------------------------------------- names


@pytest.mark.parametrize("key", ["", "Duchess", "7up", "old-maid", "old__maid", "_maid", "maid_", "x" * 21, "../maid"])
def test_a_key_is_small_letters_digits_and_single_underscores(key: str) -> None:
    with pytest.raises(Refused, match="cannot be a key: use"):
        name_for(ROOT, key, "A Title")


@pytest.mark.parametrize(
    ("key", "reason"),
    [
        ("haymaker", "a game called Haymaker already"),
        ("high_card", "a game called High Card already"),
        ("class", "Python's own"),
        ("random", "Python's own"),
        ("match", "the bot uses it"),
        ("mydata", "the bot uses it"),
        ("lay", "has a Lay of its own"),
        ("values", "there is a file engines/values.py already"),
    ],
)
def test_a_key_that_means_something_else_is_refused(key: str, reason: str) -> None:
    with pytest.raises(Refused, match=reason):
        name_for(ROOT, key, "A Title")


@pytest.mark.parametrize("title", ["Hay\nmaker", 'The "Duchess"', "*Duchess*", "{key}", " Duchess", "x" * 31])
def test_a_title_is_one_plain_line(title: str) -> None:
    with pytest.raises(Refused, match="cannot be a name"):
        name_for(ROOT, KEY, title)


def test_a_title_is_taken_whatever_its_case() -> None:
    with pytest.raises(Refused, match="a game called Tiv-Miv already"):
        name_for(ROOT, KEY, "TIV-MIV")


def test_a_title_and_a_class_are_made_from_the_key() -> None:
    name = name_for(ROOT, "old_maid")
    assert (name.title, name.class_name, name.letters) == ("Old Maid", "OldMaid", "OM")
    assert name_for(ROOT, "hot_coals").letters == "HO"  # HC is taken by the example itself


@pytest.mark.parametrize(
    ("key", "taken", "letters"),
    [
        ("duchess", set(), "D"),
        ("duchess", {"D"}, "DU"),
        ("old_maid", {"OM"}, "OL"),
        ("x", {"X"}, "XA"),
        ("x", {"X", "XA"}, "XB"),
    ],
)
def test_rulings_begin_with_letters_that_are_free(key: str, taken: set[str], letters: str) -> None:
    assert free_letters(key, taken) == letters


# ---------------------------------------------------------------------------------------------- files


@pytest.mark.parametrize("games", ["(First(), Second())", "(\n    First(),\n    Second(),\n)"])
def test_a_game_is_registered_behind_the_others(games: str) -> None:
    before = (
        f"from engines.first import First\nfrom engines.game import AnyGame\n\n_ALL: Final = {games}\n\nGAMES = 1\n"
    )
    after = register(before, Name(KEY, TITLE, "D"), DUEL)
    assert "from engines.duchess import Duchess\n" in after
    assert re.search(r"Second\(\), Duchess\(\),?\s*\)\n\nGAMES = 1\n", after)


ADDED = "## [Unreleased]\n\n### Added\n\n- The Duchess for two players.\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("# Changes\n\n## [Unreleased]\n\n### Added\n\n- One.\n", f"# Changes\n\n{ADDED}- One.\n"),
        (
            "# Changes\n\n## [Unreleased]\n\n### Fixed\n\n- One.\n\n## [1]\n\n### Added\n\n- Two.\n",
            f"# Changes\n\n{ADDED}\n### Fixed\n\n- One.\n\n## [1]\n\n### Added\n\n- Two.\n",
        ),
        ("# Changes\n\n## [1]\n\n### Added\n\n- Two.\n", f"# Changes\n\n{ADDED}\n## [1]\n\n### Added\n\n- Two.\n"),
    ],
    ids=["more was added", "nothing was added yet", "all is released"],
)
def test_the_changelog_says_that_it_was_added_since_the_last_release(before: str, after: str) -> None:
    assert list_in_changelog(before, Name(KEY, TITLE, "D"), DUEL) == after
