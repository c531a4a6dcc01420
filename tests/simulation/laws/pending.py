"""Which edits the bot has asked for and not yet sent."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any

from cogs.updates.edit_queue import EditQueue, SendEdit


class PendingEdits:
    """The requests to all edit queues, from the moment they are made until they have been sent."""

    def __init__(self) -> None:
        self._numbers = count(1)
        self._asked: dict[tuple[EditQueue, Hashable, Hashable], int] = {}

    def __contains__(self, request: tuple[EditQueue, Hashable, Hashable]) -> bool:
        """Whether a queue has a request with this bucket and key that was not carried out yet."""
        return request in self._asked

    def anything(self, queue: EditQueue, *bucket: Hashable) -> bool:
        """Whether a queue has any request, in a bucket whose name begins like this, that was not carried out yet."""
        return any(
            asked is queue and isinstance(name, tuple) and name[: len(bucket)] == bucket
            for asked, name, _ in self._asked
        )

    @contextmanager
    def noted(self) -> Iterator[None]:
        """Note all requests that are made within the block."""
        usual = EditQueue.request_edit

        def request_edit(
            queue: EditQueue, bucket: Hashable, key: Hashable, send: SendEdit, *more: Any, **options: Any
        ) -> None:
            request = queue, bucket, key
            self._asked[request] = next(self._numbers)

            async def send_and_note() -> int:
                last = self._asked.get(request)
                try:
                    return await send()
                finally:
                    if self._asked.get(request) == last:
                        self._asked.pop(request, None)

            usual(queue, bucket, key, send_and_note, *more, **options)

        EditQueue.request_edit = request_edit  # type: ignore[method-assign, assignment]  # undone below
        try:
            yield
        finally:
            EditQueue.request_edit = usual  # type: ignore[method-assign]
