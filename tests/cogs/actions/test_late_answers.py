"""An answer that comes late shows the past, and must not stay over what became of it."""

from __future__ import annotations

import asyncio

import pytest

from bot.play.live_match import LiveMatch
from bot.ui.screen import Press
from cogs.screens import custom_ids
from cogs.updates.board_updater import BoardUpdater
from discord_sandbox.virtual_time import settle
from tests.bot.play.parts import BOB, CAT
from tests.cogs.actions.offline_bot import OfflineBot


async def test_a_late_answer_of_who_is_ready_leaves_the_board_of_the_match_that_has_begun(
    offline_bot: OfflineBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot, again = offline_bot, list[str]()
    table = await bot.readying()

    def show_again(_: BoardUpdater, match: LiveMatch) -> None:
        again.append(match.id)

    monkeypatch.setattr(BoardUpdater, "show_again", show_again)
    ready = custom_ids.write(table.id, Press("here"))
    late = bot.interaction(ready, BOB)
    late.takes = 2.0
    answering = asyncio.create_task(bot.send(late))
    await settle()
    await bot.press(ready, CAT)
    assert bot.registry.playing(table.id) is not None
    assert again == []
    await answering
    assert again == [table.id]
