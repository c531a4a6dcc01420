"""The real discord.py on the sandbox: commands, buttons, selects, modals, both kinds of components."""

from __future__ import annotations

import pytest

from discord_sandbox import Sandbox
from tests.sample_bot import SampleBot


@pytest.mark.parametrize("secret", [True, False])
async def test_a_deferral_fixes_who_sees_the_answer(sandbox: Sandbox, bot: SampleBot, secret: bool) -> None:
    alice, lobby = sandbox.user("Alice"), sandbox.channel("lobby")
    reply = await alice.slash(lobby, "think", secret=secret)
    assert (reply.kind, reply.message.loading) == ("deferred", True)
    bot.wake.set()
    await sandbox.wait_for(lambda: reply.text == "thought of it twice")
    assert reply.message.ephemeral is secret  # although the follow-up asked for an ephemeral message
    assert not reply.message.loading
    assert len(lobby.seen_by(alice)) == 1
    assert len(lobby.seen_by(sandbox.user("Bob"))) == (0 if secret else 1)
