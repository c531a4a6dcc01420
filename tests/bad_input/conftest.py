"""One bot for a whole module: hundreds of bad inputs are put to it, and it must be as good as new after each."""

from __future__ import annotations

import gc
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from discord_sandbox import DrivenChannel, Sandbox
from tests.bad_input.laws import Court, court
from tests.end_to_end.cardroom import cardroom

HOSTILE_NAME = (
    "\u202e**@everyone** <@&1> [x](https://evil.example) Z\u0351\u0352\u0353\u0354\u0355\u200b'; DROP TABLE names;--"
)
"""What one of the people is called."""

PLENTY: dict[str, Any] = {
    "CARDROOM_MAX_MATCHES_PER_PLAYER": "1000",
    "CARDROOM_MAX_MATCHES_PER_CHANNEL": "1000",
    "CARDROOM_MAX_INVITATIONS_PER_PLAYER": "100",
    "CARDROOM_MAX_INVITATIONS_PER_CHANNEL": "1000",
    "CARDROOM_MAX_INVITATIONS_RECEIVED": "1000",
}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def judge(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Court]:
    folder = tmp_path_factory.mktemp("inputs")
    async with Sandbox.running() as sandbox:
        lobby = sandbox.channel("lobby")
        async with cardroom(sandbox, folder, **PLENTY) as room:
            with court(sandbox, room, folder / "cardroom.db") as sitting:
                erin = sitting.people["Erin"]
                erin.user.global_name = HOSTILE_NAME
                yield sitting
                gc.collect()  # a task that failed unheard says so when it goes
                assert (await sitting.refused(erin.slash(lobby, "help"))).visibility == "ephemeral"


@pytest.fixture
def lobby(judge: Court) -> DrivenChannel:
    return judge.sandbox.channel("lobby")
