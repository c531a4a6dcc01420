"""Messages by discord.py: what is done again, and what is given up."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from cogs.screens.renderer import Sheet
from cogs.updates import channel_messages, token_edits
from cogs.updates.channel_messages import DiscordMessages, NotTaken, Posted
from cogs.updates.token_edits import DiscordHands, InteractionToken


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


async def test_an_edit_of_a_hand_that_is_never_answered_is_given_up_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """It would keep everything newer from being shown, for as long as the session waits for any answer."""
    monkeypatch.setattr(token_edits, "HANDS_WITHIN", 0.01)
    client: Any = SimpleNamespace(allowed_mentions=None)
    monkeypatch.setattr("discord.Webhook.partial", lambda *_, **__: SimpleNamespace(edit_message=never))
    with pytest.raises(NotTaken) as refused:
        await asyncio.wait_for(DiscordHands(client).edit(InteractionToken(1, "secret"), Sheet([])), 5)
    assert refused.value.may_pass


async def never(*_: Any, **__: Any) -> None:
    await asyncio.Event().wait()
