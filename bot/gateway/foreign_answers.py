"""Notices that another process uses the same token.

The instance lock refuses a second bot on the same data folder. A bot on another folder, or on another machine, can only
be noticed by what it does. Discord sends every press to both, and takes the first answer of each. And each session that
the other begins is one less of the day's.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Iterator
from typing import Any, Final

import discord

_log = logging.getLogger(__name__)

ENOUGH: Final = 3
"""How many signs within `WINDOW` mean another process. One alone may be the library's repetition of a lost request."""
WINDOW: Final = 600.0
"""Seconds."""
AGAIN: Final = 3600.0
"""Seconds until it is said again."""


class ForeignAnswers:
    """Counts answers that another process gave, and presses on messages that this one never posted."""

    def __init__(self) -> None:
        self._signs: list[float] = []
        self._said: float | None = None

    @property
    def noticed(self) -> bool:
        """Whether another process was noticed."""
        return self._said is not None

    def session_of_another(self) -> None:
        """Somebody else began a session: one is enough."""
        self._say()

    def answered_by_another(self) -> None:
        """Discord said at the first try that an interaction was already answered."""
        self._sign()

    def unknown_message(self, interaction: discord.Interaction[Any]) -> None:
        """Somebody pressed a button of a match or a challenge that is not in the database.

        Only a button that the message has is a sign: a client could send any id.
        """
        custom_id = dict[str, Any](interaction.data or {}).get("custom_id")
        if interaction.message is not None and custom_id in set(_custom_ids(interaction.message.components)):
            self._sign()

    def _sign(self) -> None:
        now = asyncio.get_running_loop().time()
        self._signs = [*(moment for moment in self._signs[-ENOUGH:] if now - moment < WINDOW), now]
        if len(self._signs) >= ENOUGH:
            self._say()

    def _say(self) -> None:
        now = asyncio.get_running_loop().time()
        if self._said is not None and now - self._said < AGAIN:
            return
        self._said = now
        _log.error("another process uses this token with other data, or this database is an old one")


def _custom_ids(components: Iterable[Any]) -> Iterator[str | None]:
    """The custom ids of all components, nested ones too."""
    for component in components:
        yield getattr(component, "custom_id", None)
        nested = [*getattr(component, "children", ()), getattr(component, "accessory", None)]
        yield from _custom_ids(each for each in nested if each is not None)
