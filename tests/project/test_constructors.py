"""Every part is handed what it uses, and that is little: no constructor has more than eight parameters."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import fields

from cogs.updates.screen_updates import ScreenUpdates
from cogs.wiring import ROOMS
from tests.project.test_wiring import trees

MOST = 8
"""Parameters of a constructor, `self` not counted."""


def parameters(method: ast.FunctionDef) -> int:
    """How many parameters a method takes besides `self`; `*args` and `**kwargs` count as one each."""
    given = method.args
    return len([*given.posonlyargs, *given.args, *given.kwonlyargs, *filter(None, (given.vararg, given.kwarg))]) - 1


def constructors(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """The classes with a constructor that is written out, and how many parameters it has.

    Dataclasses and NamedTuples write no `__init__`: they are values, and a fact has as many fields as it has.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            for method in node.body:
                if isinstance(method, ast.FunctionDef) and method.name == "__init__":
                    yield node.name, parameters(method)


def mutable_records(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Dataclasses that are no values, because they can be changed or equal nothing but themselves, and how many fields
    their constructor takes."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            marks = [ast.unparse(mark) for mark in node.decorator_list]
            if any(
                mark.startswith("dataclass") and ("frozen=True" not in mark or "eq=False" in mark) for mark in marks
            ):
                fields = [
                    each
                    for each in node.body
                    if isinstance(each, ast.AnnAssign) and "ClassVar" not in ast.unparse(each.annotation)
                ]
                yield node.name, sum("init=False" not in ast.unparse(each) for each in fields)


EXCEPTIONS = {
    ("bot/gateway/client.py", "CardroomClient"): "discord.py's client: four of its parameters are the connection's",
    ("bot/store/queries/matches.py", "Record"): "a value, which isn't frozen because a start makes a million",
    ("cogs/rooms.py", "Core"): "what a room's door chooses from, and nobody else sees",
    ("cogs/rooms.py", "OpenRoom"): "what a room may have: it is read once, when the room is opened",
    ("laws/case.py", "GameCase"): "what a game says of itself to the laws",
}
"""What takes more all the same, and why."""


RECORDS = {
    ("bot/computers/pool.py", "PendingQuestion"): "its module's record of a question",
    ("bot/pairing/matching.py", "_Node"): "its module's record",
    ("cogs/updates/open_hands.py", "OpenHand"): "its module's record of a hand",
    ("cogs/updates/open_hands.py", "_Slot"): "its module's record",
    ("cogs/updates/server_week.py", "ServerWeek"): "rooms add to it, and one reads it",
    ("cogs/updates/token_edits.py", "_BoardToken"): "its module's record",
}
"""Dataclasses that others read and change, and that are no parts."""


def unread(name: str, tree: ast.Module) -> Iterator[str]:
    """What parts of a module are handed, and never read themselves."""
    for node in ast.walk(tree):
        marks = [ast.unparse(mark) for mark in node.decorator_list] if isinstance(node, ast.ClassDef) else []
        is_part = any("eq=False" in mark and "frozen" not in mark for mark in marks)
        if isinstance(node, ast.ClassDef) and is_part and (name, node.name) not in RECORDS:
            read = {ast.unparse(each) for each in ast.walk(node) if isinstance(each, ast.Attribute)}
            handed = [ast.unparse(each.target) for each in node.body if isinstance(each, ast.AnnAssign)]
            yield from (f"{name}: {node.name}.{each}" for each in handed if f"self.{each}" not in read)


def too_wide(name: str, tree: ast.Module) -> list[str]:
    """The constructors of a module that take too much."""
    found = (*constructors(tree), *mutable_records(tree))
    return [f"{name}: {of} takes {count}" for of, count in found if count > MOST and (name, of) not in EXCEPTIONS]


def test_no_constructor_has_more_than_eight_parameters() -> None:
    found = [line for name, tree in trees("bot", "cogs", "engines", "laws", "tools") for line in too_wide(name, tree)]
    assert found == []


def test_a_wide_constructor_is_found() -> None:
    given = ", ".join("abcdefgh")
    assert too_wide("a.py", ast.parse(f"class A:\n    def __init__(self, {given}): ...")) == []
    text = f"class A:\n    def __init__(self, {given}, *, i): ..."
    assert too_wide("a.py", ast.parse(text)) == ["a.py: A takes 9"]
    nine = "\n".join(f"    {name}: int" for name in "abcdefghi")
    assert too_wide("a.py", ast.parse(f"@dataclass(frozen=True)\nclass A:\n{nine}")) == []
    assert too_wide("a.py", ast.parse(f"@dataclass\nclass A:\n{nine}")) == ["a.py: A takes 9"]
    assert too_wide("a.py", ast.parse(f"@dataclass(frozen=True, eq=False)\nclass A:\n{nine}")) == ["a.py: A takes 9"]


def names_the_core(tree: ast.Module) -> bool:
    """Whether a module imports what carries all parts of the core."""
    return any(
        alias.name == "Core" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for alias in node.names
    )


def test_only_the_doors_of_rooms_see_all_parts_of_the_core() -> None:
    doors = {f"cogs/{room.name}/__init__.py" for room in ROOMS}
    naming = {name for name, tree in trees("bot", "cogs") if names_the_core(tree)}
    assert naming - {"cogs/wiring.py"} <= doors
    assert len(naming) > 15
    assert names_the_core(ast.parse("from cogs.rooms import Core, Room"))


def test_no_part_is_handed_what_it_does_not_use() -> None:
    assert [line for name, tree in trees("bot", "cogs") for line in unread(name, tree)] == []


def test_what_a_part_does_not_use_is_found() -> None:
    text = "@dataclass(slots=True, eq=False)\nclass A:\n    b: int\n    c: int\n    def d(self): return self.c + x.b"
    assert list(unread("a.py", ast.parse(text))) == ["a.py: A.b"]
    assert list(unread("a.py", ast.parse(text.replace("x.b", "self.b.e")))) == []


REACHED_THROUGH = {
    "cogs/startup.py": "it holds back and releases all that is shown",
    "cogs/wiring.py": "it makes them",
}
"""Who may reach parts through what updates screens."""


def reached_through_updates(tree: ast.Module) -> Iterator[str]:
    """Parts that a module reaches through what updates screens, in place of being handed them."""
    parts = {"notices", *(field.name for field in fields(ScreenUpdates))}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in parts:
            owner = ast.unparse(node.value)
            if owner.rpartition(".")[2] == "updates" and not owner.startswith(("cogs.", "core.")):
                yield ast.unparse(node)


def test_no_part_is_reached_through_what_updates_screens() -> None:
    found = {name: [*reached_through_updates(tree)] for name, tree in trees("cogs")}
    assert {name for name, each in found.items() if each} <= REACHED_THROUGH.keys()
    text = (
        "self.updates.notices.begun(a)\nupdates.edit_queue.edit()\nself.updates.match_changed(a)\ncore.updates.notices"
    )
    assert [*reached_through_updates(ast.parse(text))] == ["self.updates.notices", "updates.edit_queue"]
