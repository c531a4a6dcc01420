"""Every part is handed what it uses, and that is little: no constructor has more than eight parameters."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import fields

from cogs.updates.screen_updates import ScreenUpdates
from cogs.wiring import ROOMS
from tests.project.reading import Module, found, lines, module, reads

MOST = 8
"""Parameters of a constructor, `self` not counted."""

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


def parameters(owner: ast.ClassDef) -> int:
    """How many parameters a class's constructor takes besides `self`; `*args` and `**kwargs` count as one each.

    Frozen dataclasses and NamedTuples write no `__init__`: they are values, and a fact has as many fields as it has.
    Dataclasses that can be changed, or equal nothing but themselves, are none.
    """
    for method in owner.body:
        if isinstance(method, ast.FunctionDef) and method.name == "__init__":
            given = method.args
            return (
                len([*given.posonlyargs, *given.args, *given.kwonlyargs, *filter(None, (given.vararg, given.kwarg))])
                - 1
            )
    marks = [ast.unparse(mark) for mark in owner.decorator_list]
    if any(mark.startswith("dataclass") and ("frozen=True" not in mark or "eq=False" in mark) for mark in marks):
        given_fields = [ast.unparse(each) for each in owner.body if isinstance(each, ast.AnnAssign)]
        return sum("ClassVar" not in each and "init=False" not in each for each in given_fields)
    return 0


@reads("bot", "cogs", "engines", "laws", "tools")
def too_wide(text: Module) -> Iterator[str]:
    """The constructors of a module that take too much."""
    for node in text.nodes:
        if isinstance(node, ast.ClassDef) and (text.name, node.name) not in EXCEPTIONS:
            count = parameters(node)
            if count > MOST:
                yield f"{node.name} takes {count}"


def test_no_constructor_has_more_than_eight_parameters() -> None:
    assert lines(too_wide) == []


def test_a_wide_constructor_is_found() -> None:
    given = ", ".join("abcdefgh")
    nine = "\n".join(f"    {name}: int" for name in "abcdefghi")
    assert [*too_wide(module(f"class A:\n    def __init__(self, {given}): ..."))] == []
    assert [*too_wide(module(f"class A:\n    def __init__(self, {given}, *, i): ..."))] == ["A takes 9"]
    assert [*too_wide(module(f"@dataclass(frozen=True)\nclass A:\n{nine}"))] == []
    assert [*too_wide(module(f"@dataclass\nclass A:\n{nine}"))] == ["A takes 9"]
    assert [*too_wide(module(f"@dataclass(frozen=True, eq=False)\nclass A:\n{nine}"))] == ["A takes 9"]


@reads("bot", "cogs", having=["Core"])
def names_the_core(text: Module) -> Iterator[str]:
    """Where a module imports what carries all parts of the core."""
    imports = (node for node in text.nodes if isinstance(node, ast.ImportFrom))
    yield from (alias.name for node in imports for alias in node.names if alias.name == "Core")


def test_only_the_doors_of_rooms_see_all_parts_of_the_core() -> None:
    doors = {f"cogs/{room.name}/__init__.py" for room in ROOMS}
    naming = found(names_the_core).keys()
    assert naming - {"cogs/wiring.py"} <= doors
    assert len(naming) > 15
    assert [*names_the_core(module("from cogs.rooms import Core, Room"))] == ["Core"]


@reads("bot", "cogs", having=["eq=False"])
def unread(text: Module) -> Iterator[str]:
    """What parts of a module are handed, and never read themselves."""
    for node in text.nodes:
        marks = [ast.unparse(mark) for mark in node.decorator_list] if isinstance(node, ast.ClassDef) else []
        is_part = any("eq=False" in mark and "frozen" not in mark for mark in marks)
        if isinstance(node, ast.ClassDef) and is_part and (text.name, node.name) not in RECORDS:
            read = {
                each.attr
                for each in ast.walk(node)
                if isinstance(each, ast.Attribute) and isinstance(each.value, ast.Name) and each.value.id == "self"
            }
            handed = [ast.unparse(each.target) for each in node.body if isinstance(each, ast.AnnAssign)]
            yield from (f"{node.name}.{each}" for each in handed if each not in read)


def test_no_part_is_handed_what_it_does_not_use() -> None:
    assert lines(unread) == []


def test_what_a_part_does_not_use_is_found() -> None:
    text = "@dataclass(slots=True, eq=False)\nclass A:\n    b: int\n    c: int\n    def d(self): return self.c + x.b"
    assert [*unread(module(text))] == ["A.b"]
    assert [*unread(module(text.replace("x.b", "self.b.e")))] == []


REACHED_THROUGH = {
    "cogs/startup.py": "it holds back and releases all that is shown",
    "cogs/wiring.py": "it makes them",
}
"""Who may reach parts through what updates screens."""
PARTS = {"notices", *(field.name for field in fields(ScreenUpdates))}


@reads("cogs", having=["updates."])
def reached_through_updates(text: Module) -> Iterator[str]:
    """Parts that a module reaches through what updates screens, in place of being handed them."""
    for node in text.nodes:
        if isinstance(node, ast.Attribute) and node.attr in PARTS:
            owner = ast.unparse(node.value)
            if owner.rpartition(".")[2] == "updates" and not owner.startswith(("cogs.", "core.")):
                yield ast.unparse(node)


def test_no_part_is_reached_through_what_updates_screens() -> None:
    assert found(reached_through_updates).keys() <= REACHED_THROUGH.keys()
    text = (
        "self.updates.notices.begun(a)\nupdates.edit_queue.edit()\nself.updates.match_changed(a)\ncore.updates.notices"
    )
    assert [*reached_through_updates(module(text))] == ["self.updates.notices", "updates.edit_queue"]
