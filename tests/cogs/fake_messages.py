"""Discord's channels in memory: `ChannelMessages` for unit tests. `contract_messages` holds it to what Discord does."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Final, Literal, TypeAlias

from cogs.screens.renderer import ButtonsBelow, Sheet
from cogs.updates.channel_messages import (
    TAKES_NO_DIRECT_MESSAGES,
    UNKNOWN_CHANNEL,
    UNKNOWN_MESSAGE,
    NotTaken,
    Posted,
    Sent,
)
from tests.bot.play.parts import BEGUN

FIRST: Final = (BEGUN - 1_420_070_400_000) << 22
"""The id of the first message: Discord says in ids when it made them."""
Doing: TypeAlias = Literal["post", "edit", "delete", "find"]

CUT = NotTaken("ClientConnectionResetError")
"""The connection was cut: Discord gave no answer."""
DOWN = NotTaken("DiscordServerError")
LIMITED = NotTaken("RateLimited", status=429, answered=True)


def refused(code: int) -> NotTaken:
    """Discord's refusal with this error code."""
    return NotTaken("Forbidden", code, answered=True)


@dataclass(repr=False)
class FakeMessage:
    """A message as it is shown now."""

    posted: Posted
    shown: Sheet | str
    notified: tuple[int, ...] = ()
    below: ButtonsBelow | None = None
    edits: int = 0
    deleted: bool = False

    def __repr__(self) -> str:
        return f"<message {self.posted}: {self.text!r}>"

    @property
    def text(self) -> str:
        """All that is written on it, a line for each piece of text."""
        return self.shown if isinstance(self.shown, str) else "\n".join(texts(self.shown))

    def custom_ids(self) -> Iterator[str]:
        """The ids of its controls."""
        for sheet in (self.shown, self.below):
            if isinstance(sheet, Sheet | ButtonsBelow):
                yield from _custom_ids(sheet)


def texts(made: Sheet) -> Iterator[str]:
    """The texts and labels of a screen as Discord is sent it."""
    waiting: list[Any] = list(made.to_components())
    while waiting:
        component = waiting.pop(0)
        yield from (component[key] for key in ("content", "label") if component.get(key))
        waiting = [*component.get("components", ()), *waiting]


def _custom_ids(shown: Sheet | ButtonsBelow) -> Iterator[str]:
    waiting: list[Any] = list(shown.to_components())
    while waiting:
        component = waiting.pop(0)
        yield from (component[key] for key in ("custom_id",) if key in component)
        waiting = [*component.get("components", ()), *waiting]


@dataclass(repr=False)
class FakeMessages:
    """All channels; one that no test deletes is there. A request takes a turn of the loop, unless it is held up."""

    messages: dict[Posted, FakeMessage] = field(default_factory=dict)
    requests: list[tuple[Doing, Posted]] = field(default_factory=list)
    """What was carried out, in its order."""
    tries: Counter[Doing] = field(default_factory=Counter)
    """How many requests were made of each kind, refused ones too."""
    gone: set[int] = field(default_factory=set)
    """The channels that were deleted."""
    closed: set[int] = field(default_factory=set)
    """Who takes no direct messages."""
    looked_since: int = 0
    """The moment (ms UTC) since which messages were last looked through. All are new enough."""
    _ids: Iterator[int] = field(default_factory=lambda: count(FIRST))
    _failures: list[tuple[Doing, NotTaken]] = field(default_factory=list)
    _lost: list[NotTaken] = field(default_factory=list)
    _gate: asyncio.Event | None = None

    def fail(self, doing: Doing, error: NotTaken, times: int = 1) -> None:
        """Have the next requests of this kind fail, so many of them, before they have an effect."""
        self._failures += [(doing, error)] * times

    def lose_reply(self, error: NotTaken) -> None:
        """Let the next post have its effect, and then fail."""
        self._lost.append(error)

    def recover(self) -> None:
        """Let nothing fail any more."""
        self._failures.clear()

    def hold(self) -> asyncio.Event:
        """Hold up every request until the event is set."""
        self._gate = asyncio.Event()
        return self._gate

    def there(self, channel_id: int) -> list[FakeMessage]:
        """What can be seen in a channel, the oldest first."""
        return [each for each in self.messages.values() if each.posted.channel_id == channel_id and not each.deleted]

    def direct(self, user_id: int) -> list[FakeMessage]:
        """Somebody's direct messages."""
        return self.there(-user_id)

    async def post(self, guild_id: int, channel_id: int, made: Sheet) -> Posted:  # noqa: ARG002  the interface's
        if -channel_id in self.closed:
            raise refused(TAKES_NO_DIRECT_MESSAGES)
        return await self._post(channel_id, made)

    async def edit(self, guild_id: int, posted: Posted, made: Sheet) -> None:  # noqa: ARG002  the interface's
        await self._edit(posted, made)

    async def shows_picture(self, posted: Posted, made: Sheet) -> bool:
        shown = (await self._found("find", posted)).shown
        return isinstance(shown, Sheet) and len(shown.picture) == len(made.picture)

    async def post_text(
        self,
        guild_id: int,  # noqa: ARG002  the interface's
        channel_id: int,
        text: str,
        notified: Collection[int],
        below: ButtonsBelow | None = None,
    ) -> Posted:
        return await self._post(channel_id, text, tuple(notified), below)

    async def edit_text(self, posted: Posted, text: str) -> None:
        await self._edit(posted, text)

    async def send_directly(self, user_id: int, text: str, *, silent: bool = False) -> Posted:
        if user_id in self.closed:
            raise refused(TAKES_NO_DIRECT_MESSAGES)
        return await self._post(-user_id, text, () if silent else (user_id,))

    async def open_direct(self, user_id: int) -> int:
        return -user_id

    async def find_sent(self, channel_id: int, since: int) -> list[Sent]:
        self.looked_since = since
        await self._requested("find", channel_id)
        return [
            Sent(each.posted, each.shown if isinstance(each.shown, str) else "", tuple(each.custom_ids()))
            for each in self.there(channel_id)
        ]

    async def delete(self, posted: Posted) -> None:
        (await self._found("delete", posted)).deleted = True
        self.requests.append(("delete", posted))

    async def _post(
        self, channel_id: int, shown: Sheet | str, notified: tuple[int, ...] = (), below: ButtonsBelow | None = None
    ) -> Posted:
        await self._requested("post", channel_id)
        lost = self._lost.pop(0) if self._lost else None
        posted = Posted(channel_id, next(self._ids))
        self.messages[posted] = FakeMessage(posted, shown, notified, below)
        self.requests.append(("post", posted))
        if lost is not None:
            raise lost
        return posted

    async def _edit(self, posted: Posted, shown: Sheet | str) -> None:
        message = await self._found("edit", posted)
        message.shown = shown
        message.edits += 1
        self.requests.append(("edit", posted))

    async def _found(self, doing: Doing, posted: Posted) -> FakeMessage:
        await self._requested(doing, posted.channel_id)
        message = self.messages.get(posted)
        if message is None or message.deleted:
            raise refused(UNKNOWN_MESSAGE)
        return message

    async def _requested(self, doing: Doing, channel_id: int) -> None:
        self.tries[doing] += 1
        await asyncio.sleep(0)
        if self._gate is not None:
            await self._gate.wait()
        for failure in self._failures:
            if failure[0] == doing:
                self._failures.remove(failure)
                raise failure[1]
        if channel_id in self.gone:
            raise refused(UNKNOWN_CHANNEL)
