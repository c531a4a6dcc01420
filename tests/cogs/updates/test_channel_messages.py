"""Messages by discord.py: what is done again, and what is given up."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from cogs.updates import channel_messages
from cogs.updates.channel_messages import DiscordMessages, NotTaken, Posted


class Silent:
    """A message whose edits and deletions are never answered."""

    async def edit(self, **_: Any) -> None:
        await asyncio.Event().wait()

    async def delete(self) -> None:
        await asyncio.Event().wait()


async def test_an_edit_that_is_never_answered_is_given_up_so_that_another_may_be_tried(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(channel_messages, "WITHIN", 0.01)
    channel = SimpleNamespace(get_partial_message=lambda _: Silent())
    client: Any = SimpleNamespace(get_partial_messageable=lambda *_, **__: channel)
    messages = DiscordMessages(client)
    for request in (messages.edit_text(Posted(1, 2), "now"), messages.delete(Posted(1, 2))):
        with pytest.raises(NotTaken) as refused:
            await asyncio.wait_for(request, 5)
        assert refused.value.may_pass
