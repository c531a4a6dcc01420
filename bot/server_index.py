"""Finds open things by id and by server, so that a press searches one server only, not all of them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, MutableMapping
from typing import Protocol, TypeVar


class InServer(Protocol):
    """Something that belongs to one server for good."""

    @property
    def guild_id(self) -> int:
        """The server's id."""


T = TypeVar("T", bound=InServer)


class ServerIndex(MutableMapping[str, T]):
    """A mapping by id, in the order of first insertion, that also knows what belongs to each server."""

    def __init__(self) -> None:
        self._all: dict[str, T] = {}
        self._by_server: dict[int, dict[str, T]] = {}

    def __getitem__(self, key: str) -> T:
        return self._all[key]

    def __setitem__(self, key: str, value: T) -> None:
        self._all[key] = value
        self._by_server.setdefault(value.guild_id, {})[key] = value

    def __delitem__(self, key: str) -> None:
        guild_id = self._all.pop(key).guild_id
        there = self._by_server[guild_id]
        del there[key]
        if not there:
            del self._by_server[guild_id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)

    def in_server(self, guild_id: int) -> Collection[T]:
        """The things of a server, oldest first. Read it before anything changes."""
        return self._by_server.get(guild_id, {}).values()
