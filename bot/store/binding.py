"""Makes methods of the store from queries, with a declaration of one line each: `match = reading(matches.find)`.

A query is a plain function of a connection (`bot.store.queries`). The method has its other arguments and its promise,
and runs it in the database's thread. What only this process knows, such as the time, a query gets as its second
argument: `close_invitation = writing(invitations.close, now)`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Coroutine
from typing import Any, Concatenate, ParamSpec, Protocol, TypeAlias, TypeVar, overload

from bot.shard_range import EVERYTHING, ShardRange
from bot.store.person_key import PersonKey
from bot.store.queries.database import Connection, Database, Page

P = ParamSpec("P")
T = TypeVar("T")
G = TypeVar("G")
K = TypeVar("K")
R = TypeVar("R")


class Binding(Protocol):
    """What a method runs its query with."""

    @property
    def database(self) -> Database:
        """Where it runs."""

    @property
    def now(self) -> Callable[[], int]:
        """The time of day (ms since 1970, UTC)."""

    @property
    def person_key(self) -> PersonKey:
        """The key by which deleted people are recognised."""

    @property
    def serves(self) -> ShardRange:
        """The servers that this process serves."""


class Bound:
    """What queries are bound to: a database, and what only this process knows."""

    def __init__(self, database: Database, now: Callable[[], int], person_key: PersonKey) -> None:
        self.database = database
        """Play goes by the methods; this is for who looks at the database as a whole."""
        self.now = now
        """The time of day (ms since 1970, UTC)."""
        self.person_key = person_key
        """The key by which deleted people are recognised."""
        self.serves: ShardRange = EVERYTHING
        """The servers that this process serves: those of the shards that it claimed, all before."""


class Part:
    """The methods of one subject, on the database of a store: what a room binds its queries to."""

    def __init__(self, store: Bound) -> None:
        self._store = store
        self.database = store.database
        self.now = store.now
        self.person_key = store.person_key

    @property
    def serves(self) -> ShardRange:
        """The servers that the store's process serves by now."""
        return self._store.serves


Method: TypeAlias = Callable[Concatenate[Binding, P], Coroutine[Any, Any, T]]
Given: TypeAlias = Callable[[Any], G]
"""What a query gets of its store."""


def now(store: Binding) -> int:
    """The time of the call (ms since 1970, UTC)."""
    return store.now()


def person_key(store: Binding) -> PersonKey:
    """The key by which deleted people are recognised."""
    return store.person_key


def serves(store: Binding) -> ShardRange:
    """The servers that the process serves."""
    return store.serves


def _values(store: Binding, given: Given[Any] | None) -> tuple[Any, ...]:
    return () if given is None else (given(store),)


@overload
def reading(query: Callable[Concatenate[Connection, P], T], /) -> Method[P, T]: ...
@overload
def reading(query: Callable[Concatenate[Connection, G, P], T], given: Given[G], /) -> Method[P, T]: ...
def reading(query: Callable[..., T], given: Given[Any] | None = None, /) -> Method[..., T]:
    """A method that runs a query which only reads. It sees what is committed, all of one moment."""

    @functools.wraps(query)
    def read(store: Binding, /, *args: Any, **kwargs: Any) -> Coroutine[Any, Any, T]:
        first = _values(store, given)
        return store.database.read(lambda db: query(db, *first, *args, **kwargs))

    return read


@overload
def writing(query: Callable[Concatenate[Connection, P], T], /, *, counts: bool = True) -> Method[P, T]: ...
@overload
def writing(
    query: Callable[Concatenate[Connection, G, P], T], given: Given[G], /, *, counts: bool = True
) -> Method[P, T]: ...
def writing(query: Callable[..., T], given: Given[Any] | None = None, /, *, counts: bool = True) -> Method[..., T]:
    """A method that runs a query in a transaction, and returns once that is committed. `counts` is False for what may
    be lost."""

    @functools.wraps(query)
    def write(store: Binding, /, *args: Any, **kwargs: Any) -> Coroutine[Any, Any, T]:
        first = _values(store, given)
        return store.database.write(lambda db: query(db, *first, *args, **kwargs), counts=counts)

    return write


@overload
def listing(page: Callable[Concatenate[Connection, K, P], Page[T, K]], start: K, /) -> Method[P, list[T]]: ...
@overload
def listing(
    page: Callable[Concatenate[Connection, K, P], Page[T, K]], start: K, arrange: Callable[[list[T]], R], /
) -> Method[P, R]: ...
@overload
def listing(
    page: Callable[Concatenate[Connection, K, G, P], Page[T, K]],
    start: K,
    arrange: Callable[[list[T]], R],
    given: Given[G],
    /,
) -> Method[P, R]: ...
def listing(
    page: Callable[..., Page[T, K]],
    start: K,
    arrange: Callable[[list[T]], Any] = list,
    given: Given[Any] | None = None,
    /,
) -> Method[..., Any]:
    """A method that reads a long list page by page, so that writes can be made in between. The query reads what comes
    after a key, its second argument, which is `start` at first; `arrange` gets all rows."""

    @functools.wraps(page)
    async def read_all(store: Binding, /, *args: Any, **kwargs: Any) -> Any:
        first = _values(store, given)
        rows = await store.database.read_all(lambda db, after: page(db, after, *first, *args, **kwargs), start)
        return arrange(rows)

    return read_all


@overload
def spanning(query: Callable[Concatenate[Database, P], Coroutine[Any, Any, T]], /) -> Method[P, T]: ...
@overload
def spanning(
    query: Callable[Concatenate[Database, G, P], Coroutine[Any, Any, T]], given: Given[G], /
) -> Method[P, T]: ...
def spanning(query: Callable[..., Coroutine[Any, Any, T]], given: Given[Any] | None = None, /) -> Method[..., T]:
    """A method for a query that takes several pieces of work, and so the database itself."""

    @functools.wraps(query)
    def span(store: Binding, /, *args: Any, **kwargs: Any) -> Coroutine[Any, Any, T]:
        return query(store.database, *_values(store, given), *args, **kwargs)

    return span
