"""A leaderboard posted in a channel and saved as a file, by who manages the server and nobody else."""

from __future__ import annotations

from typing import Any

import pytest

from bot.play.refusals import Refused
from bot.store.queries.leaderboards import Span
from bot.ui.catalogue import translations
from cogs.actions.file_queue import FileQueue
from cogs.leaderboards.screens import POST, SAVE, write
from discord_sandbox import Sandbox
from tests.bot.store.contract_boards import ended
from tests.end_to_end.cardroom import Cardroom

say = translations("en")


async def _refuse(*_: object) -> None:
    """What the queue says to who waits for a file."""
    raise Refused("files.one")


async def test_who_manages_the_server_posts_and_saves_a_leaderboard(
    sandbox: Sandbox, room: Cardroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    for person in (alice, bob):
        await person.slash(lobby, "games")  # the bot knows their names
    listed = await alice.slash(lobby, "leaderboard", game="haymaker")
    data = {"component_type": 2, "custom_id": f"g1:haymaker:0:{POST}:{write(Span.ALL_TIME, 'haymaker')}"}
    empty = await alice.forge(lobby, "component", data, listed.message)
    assert say("ladder.empty_since") in empty.text
    await ended(room.store, "m1", (alice.id, bob.id), (1, 2), game="haymaker", guild=lobby.server_id or 0)
    listed = await alice.slash(lobby, "leaderboard", game="haymaker")
    how = await alice.press(listed.message, label=say("button.how"))
    posted = await alice.press(how.message, label=say("ladder.post"))
    assert posted.visibility == "public"
    assert say("ladder.title", game="Haymaker") in posted.text
    saved = await alice.press(how.message, label=say("ladder.save"))
    assert (saved.visibility, say("ladder.saved") in saved.text) == ("ephemeral", True)
    files: Any = saved.message.raw["attachments"]
    assert [each["filename"] for each in files] == ["leaderboard-haymaker.csv", "leaderboard-haymaker.json"]
    with monkeypatch.context() as patched:
        patched.setattr(FileQueue, "made", _refuse)
        waits = await alice.press(how.message, label=say("ladder.save"))
        assert say("files.one") in waits.text
    private = await bob.press(posted.message, label=say("button.leaderboard"))
    assert private.visibility == "ephemeral"

    others = await bob.press(private.message, label=say("button.how"))
    assert say("ladder.post") not in others.message.labels
    for verb in (POST, SAVE):
        data = {"component_type": 2, "custom_id": f"g1:haymaker:0:{verb}:{write(Span.ALL_TIME, 'haymaker')}"}
        told = await bob.forge(lobby, "component", data, others.message)
        assert say("settings.not_yours") in told.text
