"""F-35: a private thread that the bot is not in."""

# ruff: noqa: N802  a test's name bears the number of its fault

from __future__ import annotations

from discord_sandbox import Sandbox
from tests.end_to_end.cardroom import Cardroom
from tests.faults.lost_venues import people, say, until


async def test_F_35_a_private_thread_without_the_bot_is_refused_and_says_what_to_do(
    sandbox: Sandbox, room: Cardroom
) -> None:
    alice, bob, lobby = people(sandbox)
    thread = lobby.begin_thread(alice, "secret", private=True)
    thread.join(bob)
    for command, options in (("haymaker challenge", {"opponent": bob}), ("haymaker open", {})):
        refused = await alice.slash(thread, command, **options)
        assert refused.visibility == "ephemeral"
        assert refused.text == say("place.private_thread")
    thread.join()
    asked = await alice.slash(thread, "haymaker challenge", opponent=bob)
    await bob.press(asked.message, label="Accept")
    await until(lambda: len(room.app.matches) == 1)
    assert sandbox.transcript.requests[-1].status < 400
