"""Edits through the tokens of interactions in memory: `TokenEdits` for unit tests, on messages of `FakeMessages`."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from cogs.screens.renderer import Sheet
from cogs.updates.channel_messages import UNKNOWN_MESSAGE, NotTaken, Posted
from cogs.updates.token_edits import InteractionToken
from tests.cogs.fake_messages import FakeMessages


@dataclass(repr=False)
class FakeTokenEdits:
    """A request takes a turn of the loop, unless it is held up."""

    messages: FakeMessages
    reaches: dict[str, Posted] = field(default_factory=dict)
    """Which message each token edits."""
    tries: int = 0
    taken: list[tuple[str, Posted]] = field(default_factory=list)
    """The edits that were carried out: the token and the message."""
    failures: list[NotTaken] = field(default_factory=list)
    """How the next edits fail, before they have an effect."""
    gate: asyncio.Event | None = None

    async def edit(self, token: InteractionToken, made: Sheet) -> None:
        self.tries += 1
        await asyncio.sleep(0)
        if self.gate is not None:
            await self.gate.wait()
        if self.failures:
            raise self.failures.pop(0)
        posted = self.reaches[token.token]
        message = self.messages.messages[posted]
        if message.deleted:
            raise NotTaken("NotFound", UNKNOWN_MESSAGE, status=404, answered=True)
        message.shown = made
        self.taken.append((token.token, posted))
