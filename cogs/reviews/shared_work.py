"""Reviews and hints take the one worker for them seconds each. So the same one is worked out once for all who wait for
it, and of different ones one at a time for each person: pressing again and again keeps nobody else waiting."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from bot.play.refusals import Refused

T = TypeVar("T")


@dataclass(slots=True, eq=False)
class SharedWork:
    """What is being worked out, and for whom."""

    _under_way: dict[Hashable, asyncio.Task[Any]] = field(default_factory=dict, init=False)
    _people: set[int] = field(default_factory=set, init=False)

    async def done(self, user_id: int, same: Hashable, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """What `work` returns, or what the `same` work returns that is under way. Raises what that raises, and Refused
        if the person waits for another."""
        task: asyncio.Task[T] | None = self._under_way.get(same)
        if task is None:
            if user_id in self._people:
                raise Refused("review.later")
            task = self._under_way[same] = asyncio.get_running_loop().create_task(work())
            self._people.add(user_id)
            task.add_done_callback(lambda done: self._end(user_id, same, done))
        return await asyncio.shield(task)  # others wait for it, too

    def _end(self, user_id: int, same: Hashable, done: asyncio.Task[Any]) -> None:
        self._people.discard(user_id)
        del self._under_way[same]
        if not done.cancelled():
            done.exception()  # who waited for it may be gone
