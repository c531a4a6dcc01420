"""The part of the import law that import-linter's contracts (pyproject.toml) cannot say."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from bot.store.queries.servers import ALL
from cogs.wiring import ROOMS

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

SHARED = frozenset(
    {
        "game",
        "cards",
        "chance",
        "common_facts",
        "deals",
        "guards",
        "hands",
        "notation",
        "options",
        "places",
        "run",
        "values",
    }
)
"""The modules of `engines` that every game may use; the others are one game each."""


def nodes(file: Path) -> Iterator[ast.AST]:
    """Everything that a file says."""
    return ast.walk(ast.parse(file.read_text(encoding="utf-8")))


@cache
def imports(file: Path) -> tuple[str, ...]:
    """The modules a file imports, wherever in it, with their full names."""
    return tuple(_imports(file))


def _imports(file: Path) -> Iterator[str]:
    for node in nodes(file):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file} imports relatively"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def path_of(file: Path) -> str:
    """A file's name as it is said."""
    return file.relative_to(ROOT).as_posix()


ENGINES = sorted((ROOT / "engines").rglob("*.py"))
IN_USE = sorted(file for package in ("bot", "cogs") for file in (ROOT / package).rglob("*.py"))


def is_pure(name: str, file: Path) -> bool:
    """Whether a module of `engines` may import this one."""
    if name == "random.Random" and path_of(file).startswith(PLAYERS):
        return True
    top = name.partition(".")[0]
    impure = IMPURE - EXCEPTIONS.get(path_of(file), set())
    return top == "engines" or (top in sys.stdlib_module_names and top not in impure)


def test_engines_use_the_pure_part_of_the_standard_library_only() -> None:
    assert [f"{path_of(file)}: {name}" for file in ENGINES for name in imports(file) if not is_pure(name, file)] == []


def test_engines_await_nothing() -> None:
    waiting = (ast.AsyncFunctionDef, ast.Await, ast.AsyncFor, ast.AsyncWith)
    found = [path_of(file) for file in ENGINES if any(isinstance(node, waiting) for node in nodes(file))]
    assert found == []


def game_of(file: Path) -> str:
    """The part of `engines` a file belongs to: a game or a shared module; empty for the registry."""
    return file.relative_to(ROOT / "engines").parts[0].removesuffix(".py").removeprefix("__init__")


def is_its_own(name: str, mine: str) -> bool:
    """Whether a part of `engines` may import this: a game itself and what is shared, a shared module what is shared."""
    top, _, rest = name.partition(".")
    used = rest.partition(".")[0]
    return top != "engines" or used in SHARED or used == mine


def test_games_do_not_import_each_other() -> None:
    others = {"", "players"}  # the registry, and what stands above the games: none of them imports it
    assert [
        f"{path_of(file)}: {name}"
        for file in ENGINES
        if (mine := game_of(file)) not in others
        for name in imports(file)
        if not is_its_own(name, mine)
    ] == []


def test_computer_players_draw_by_a_seed_only() -> None:
    """`Random()` takes its seed from the system."""
    assert [
        f"{path_of(file)}, line {node.lineno}"
        for file in sorted((ROOT / PLAYERS).rglob("*.py"))
        for node in nodes(file)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Random"
        if len(node.args) != 1
    ] == []


def test_the_games_in_use_are_those_of_bot_games() -> None:
    """`engines.GAMES` are our own alone: whoever asks it forgets the installed ones."""
    asking = {path_of(file) for file in IN_USE if {"engines", "engines.GAMES"} & set(imports(file))}
    assert asking == {"bot/games.py"}


CHECKING = {"bot/ops/match_check.py"}
"""`cardroom check`, which loads no rooms, opens the seals of the deals that rooms keep."""


def test_the_core_names_no_table_of_a_room() -> None:
    """What it does with them, such as deletions, follows from their columns."""
    rooms = {room.name for room in ROOMS}
    theirs = "|".join(name for name, table in ALL.items() if table.room in rooms)
    named = re.compile(rf"^({theirs})$|\b(FROM|JOIN|INTO|UPDATE) ({theirs})\b")
    assert {
        path_of(file)
        for file in IN_USE
        if not rooms & {*file.relative_to(ROOT).parts}
        for node in nodes(file)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and named.search(node.value)
    } == CHECKING
