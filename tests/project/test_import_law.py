"""The part of the import law that import-linter's contracts (pyproject.toml) cannot say."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

IMPURE = frozenset(
    {
        "asyncio",
        "concurrent",
        "contextvars",
        "datetime",
        "fileinput",
        "http",
        "io",
        "locale",
        "logging",
        "multiprocessing",
        "os",
        "pathlib",
        "queue",
        "random",
        "secrets",
        "select",
        "selectors",
        "shelve",
        "shutil",
        "signal",
        "socket",
        "socketserver",
        "sqlite3",
        "subprocess",
        "sys",
        "tempfile",
        "threading",
        "time",
        "tkinter",
        "urllib",
        "uuid",
        "warnings",
    }
)
"""What of the standard library is no business of the rules: time, I/O, the system, chance not dealt by the dealer."""

EXCEPTIONS = {"engines/chance.py": {"secrets"}}
"""The dealer makes a match's seed before there is a match; no rule ever draws from the system."""

PLAYERS = "engines/players/"
"""The computer players: they know all games, and draw by `random.Random(luck)`. Nothing else in `random` is theirs,
because it would draw from the system."""

SHARED = frozenset({"game", "cards", "chance", "deals", "guards", "hands", "notation", "options", "run", "values"})
"""The modules of `engines` that every game may use; the others are one game each."""


def imports(file: Path) -> Iterator[str]:
    """The modules a file imports, wherever in it, with their full names."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file} imports relatively"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


ENGINES = sorted((ROOT / "engines").rglob("*.py"))


@pytest.mark.parametrize("file", ENGINES, ids=lambda file: file.relative_to(ROOT).as_posix())
def test_engines_use_the_pure_part_of_the_standard_library_only(file: Path) -> None:
    place = file.relative_to(ROOT).as_posix()
    impure = IMPURE - EXCEPTIONS.get(place, set())
    for name in imports(file):
        if name == "random.Random" and place.startswith(PLAYERS):
            continue
        top = name.partition(".")[0]
        assert top == "engines" or (top in sys.stdlib_module_names and top not in impure), name


@pytest.mark.parametrize("file", ENGINES, ids=lambda file: file.relative_to(ROOT).as_posix())
def test_engines_await_nothing(file: Path) -> None:
    waiting = (ast.AsyncFunctionDef, ast.Await, ast.AsyncFor, ast.AsyncWith)
    assert not any(isinstance(node, waiting) for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))))


def game_of(file: Path) -> str:
    """The part of `engines` a file belongs to: a game or a shared module; empty for the registry."""
    return file.relative_to(ROOT / "engines").parts[0].removesuffix(".py").removeprefix("__init__")


@pytest.mark.parametrize("file", ENGINES, ids=lambda file: file.relative_to(ROOT).as_posix())
def test_games_do_not_import_each_other(file: Path) -> None:
    mine = game_of(file)
    if mine == "players":
        return  # it stands above the games, and none of them imports it
    for name in imports(file):
        top, _, rest = name.partition(".")
        if top == "engines" and mine:
            used = rest.partition(".")[0]
            assert used in SHARED | {mine}, f"{mine} imports {name}"
            assert mine not in SHARED or used in SHARED, f"{mine} imports {name}"


@pytest.mark.parametrize(
    "file", sorted((ROOT / PLAYERS).rglob("*.py")), ids=lambda file: file.relative_to(ROOT).as_posix()
)
def test_computer_players_draw_by_a_seed_only(file: Path) -> None:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Random":
            assert len(node.args) == 1, f"{file.name}, line {node.lineno}: Random() takes its seed from the system"


IN_USE = sorted(file for package in ("bot", "cogs") for file in (ROOT / package).rglob("*.py"))


@pytest.mark.parametrize("file", IN_USE, ids=lambda file: file.relative_to(ROOT).as_posix())
def test_the_games_in_use_are_those_of_bot_games(file: Path) -> None:
    """`engines.GAMES` are our own alone: whoever asks it forgets the installed ones."""
    if file != ROOT / "bot" / "games.py":
        assert not {"engines", "engines.GAMES"} & set(imports(file))
