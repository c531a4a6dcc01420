"""F-41: slow mode, and direct messages that Discord refuses for one reason or another."""

# ruff: noqa: N802  a test's name bears the number of its fault

from __future__ import annotations

import pytest

from bot.store.queries.people import NoticeLevel
from discord_sandbox import Sandbox
from tests.end_to_end.cardroom import Cardroom
from tests.end_to_end.test_notify import start

NO_SERVER_IN_COMMON, FLAGGED, TOO_FAST, BLOCKED = (403, 50278), (403, 20026), (429, 40003), (403, 50007)


@pytest.mark.parametrize("where", ["/users/@me/channels", "/channels/*/messages"])
@pytest.mark.parametrize("refusal", [BLOCKED, NO_SERVER_IN_COMMON, FLAGGED, TOO_FAST], ids=str)
async def test_F_41_whoever_gets_no_direct_message_is_mentioned_in_the_channel(
    sandbox: Sandbox, room: Cardroom, refusal: tuple[int, int], where: str
) -> None:
    status, code = refusal
    refused = sandbox.faults.on("POST", where, status=status, code=code, retry_after=120, times=1)
    board, asked, lobby = await start(sandbox, room, NoticeLevel.DIRECT)
    await sandbox.wait_for(lambda: refused.struck)
    await sandbox.wait_for(lambda: any(f"<@{asked.id}>" in each.text for each in lobby.messages if each.id != board.id))
