"""The part of the import law that import-linter's contracts (pyproject.toml) cannot say."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator

from bot.store.queries.servers import ALL
from cogs.wiring import ROOMS
from tests.project.reading import Module, found, lines, reads

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


@reads("engines", "bot", "cogs")
def imports(text: Module) -> Iterator[str]:
    """The modules that a module imports, wherever in it, with their full names."""
    for node in text.nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{text.name} imports relatively"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def imported(*packages: str) -> list[tuple[str, str]]:
    """What the modules of packages import, each with the module before it."""
    everything = found(imports).items()
    return [(path, name) for path, names in everything if path.split("/")[0] in packages for name in names]


def is_pure(path: str, name: str) -> bool:
    """Whether a module of `engines` may import this one."""
    if name == "random.Random" and path.startswith(PLAYERS):
        return True
    top = name.partition(".")[0]
    impure = IMPURE - EXCEPTIONS.get(path, set())
    return top == "engines" or (top in sys.stdlib_module_names and top not in impure)


def test_engines_use_the_pure_part_of_the_standard_library_only() -> None:
    assert [each for each in imported("engines") if not is_pure(*each)] == []
    assert not is_pure("engines/game.py", "time.time")


@reads("engines", having=["async", "await"])
def waiting(text: Module) -> Iterator[str]:
    """Where a module waits."""
    for node in text.nodes:
        if isinstance(node, ast.AsyncFunctionDef | ast.Await | ast.AsyncFor | ast.AsyncWith):
            yield f"line {node.lineno}"


def test_engines_await_nothing() -> None:
    assert lines(waiting) == []


def game_of(path: str) -> str:
    """The part of `engines` a module belongs to: a game or a shared module; empty for the registry."""
    return path.split("/")[1].removesuffix(".py").removeprefix("__init__")


def is_its_own(name: str, mine: str) -> bool:
    """Whether a part of `engines` may import this: a game itself and what is shared, a shared module what is shared."""
    top, _, rest = name.partition(".")
    used = rest.partition(".")[0]
    return top != "engines" or used in SHARED or used == mine


def test_games_do_not_import_each_other() -> None:
    others = {"", "players"}  # the registry, and what stands above the games: none of them imports it
    assert [
        each
        for each in imported("engines")
        if (mine := game_of(each[0])) not in others and not is_its_own(each[1], mine)
    ] == []


@reads("engines/players", having=["Random("])
def unseeded(text: Module) -> Iterator[str]:
    """Where a module makes what draws without a seed."""
    for node in text.nodes:
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "Random" and len(node.args) != 1:
            yield f"line {node.lineno}"


def test_computer_players_draw_by_a_seed_only() -> None:
    """`Random()` takes its seed from the system."""
    assert lines(unseeded) == []


def test_the_games_in_use_are_those_of_bot_games() -> None:
    """`engines.GAMES` are our own alone: whoever asks it forgets the installed ones."""
    asking = {path for path, name in imported("bot", "cogs") if name in {"engines", "engines.GAMES"}}
    assert asking == {"bot/games.py"}


CHECKING = {"bot/ops/match_check.py"}
"""`cardroom check`, which loads no rooms, opens the seals of the deals that rooms keep."""


THEIRS = "|".join(name for name, table in ALL.items() if table.room in {room.name for room in ROOMS})
NAMED = re.compile(rf"^({THEIRS})$|\b(FROM|JOIN|INTO|UPDATE) ({THEIRS})\b")


@reads("bot", "cogs")
def tables_of_rooms(text: Module) -> Iterator[str]:
    """The strings of a module that name a room's table."""
    for node in text.nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and NAMED.search(node.value):
            yield node.value


def test_the_core_names_no_table_of_a_room() -> None:
    """What it does with them, such as deletions, follows from their columns."""
    rooms = {room.name for room in ROOMS}
    assert {path for path in found(tables_of_rooms) if not rooms & {*path.split("/")}} == CHECKING
