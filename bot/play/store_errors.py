"""Waiting for the store, its failures told as what they mean to the one who asked."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TypeVar

from bot.play.refusals import Unsaved
from bot.store.errors import Busy, NotSaved

T = TypeVar("T")


async def translate_errors(writing: Awaitable[T]) -> T:
    """What the store answers. Raises Unsaved where it could not write; what else it raises passes through."""
    try:
        return await writing
    except (Busy, NotSaved) as error:
        raise as_unsaved(error) from None


def as_unsaved(error: Busy | NotSaved) -> Unsaved:
    """What the store's failure is to the one who asked."""
    return Unsaved(busy=isinstance(error, Busy))
