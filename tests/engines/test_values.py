"""Changed copies of frozen values."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import Any

import pytest

from engines.options import Choosable, switch
from engines.values import put, put_of_two, replace


@dataclass(frozen=True, slots=True)
class Board:
    """A frozen value as states are."""

    name: str
    rows: tuple[int, ...] = ()
    full: bool = False


@dataclass(frozen=True, slots=True)
class Judged(Choosable):
    """A value that checks itself."""

    loud: bool = switch()


@dataclass(frozen=True)
class Open:
    """A value without slots."""

    name: str = ""


@dataclass(frozen=True, slots=True)
class Counted:
    """A value with a field that nobody may set."""

    rows: tuple[int, ...] = ()
    count: int = field(default=0, init=False)


BOARD = Board("first", (1, 2))


@pytest.mark.parametrize("changes", [{}, {"full": True}, {"name": "second", "rows": (), "full": True}], ids=len)
def test_a_copy_is_what_dataclasses_make_of_it(changes: dict[str, Any]) -> None:
    made = replace(BOARD, **changes)
    assert made == dataclasses.replace(BOARD, **changes)
    assert hash(made) == hash(dataclasses.replace(BOARD, **changes))
    assert type(made) is Board
    assert made is not BOARD
    assert Board("first", (1, 2)) == BOARD


def test_a_copy_is_as_frozen_as_the_value() -> None:
    made = replace(BOARD, full=True)
    with pytest.raises(dataclasses.FrozenInstanceError):
        made.name = "other"  # type: ignore[misc]  # the type says it too
    assert not hasattr(made, "__dict__")


def test_an_unknown_field_is_an_error() -> None:
    with pytest.raises(AttributeError, match="colour"):
        replace(BOARD, colour="red")  # type: ignore[call-arg]  # the type says it too


@pytest.mark.parametrize("value", [Judged(), Open(), Counted(), Board, "text"], ids=repr)
def test_what_cannot_be_copied_field_by_field_is_refused(value: Any) -> None:
    with pytest.raises(TypeError):
        replace(value)


def test_one_row_is_replaced_and_the_others_stay() -> None:
    assert put(("a", "b", "c"), 0, "x") == ("x", "b", "c")
    assert put(("a", "b", "c"), 2, "x") == ("a", "b", "x")
    assert put_of_two(("a", "b"), 0, "x") == ("x", "b")
    assert put_of_two(("a", "b"), 1, "x") == ("a", "x")
