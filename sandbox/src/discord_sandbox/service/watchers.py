"""Lets a test see every interaction and every request at the moment in which it takes effect."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from discord_sandbox.model.wire import JsonObject


@dataclass(frozen=True, slots=True)
class Opened:
    """An interaction that is sent to the bot. `data` is as in Discord's event, `message_id` the pressed message's."""

    id: int
    token: str
    user_id: int
    channel_id: int
    command: str
    message_id: int
    data: JsonObject


class Watcher(Protocol):
    """Sees what happens. It must not change anything, and must not wait."""

    def opened(self, interaction: Opened) -> None:
        """Somebody has pressed or typed."""

    def lapsed(self, interaction_id: int) -> None:
        """The bot gave no first answer in time."""

    def asked(self, method: str, path: str, raw: bytes) -> None:
        """The bot's request is about to be carried out."""

    def answered(self, status: int) -> None:
        """It was carried out or refused; whether the bot gets this answer is another question."""


class Watchers:
    """All who watch one sandbox."""

    def __init__(self) -> None:
        self._all: list[Watcher] = []

    def add(self, watcher: Watcher) -> None:
        """Let it watch from now on."""
        self._all.append(watcher)

    def opened(self, interaction: Opened) -> None:
        """As `Watcher.opened`, and so on."""
        for each in self._all:
            each.opened(interaction)

    def lapsed(self, interaction_id: int) -> None:
        """As `Watcher.lapsed`."""
        for each in self._all:
            each.lapsed(interaction_id)

    def asked(self, method: str, path: str, raw: bytes) -> None:
        """As `Watcher.asked`."""
        for each in self._all:
            each.asked(method, path, raw)

    def answered(self, status: int) -> None:
        """As `Watcher.answered`."""
        for each in self._all:
            each.answered(status)
