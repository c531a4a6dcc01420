"""The animated picture of a match in a channel: posted by a press, covered, described, once, and where it may be."""

from __future__ import annotations

from io import BytesIO
from typing import Any

from PIL import Image

from bot.ui.catalogue import translations
from discord_sandbox import MessageView, Permission, Person, Reply, Sandbox
from tests.end_to_end.cardroom import Cardroom
from tests.end_to_end.test_replays import finished

say = translations("en")
MOST_BYTES = 250 * 1024


async def asked(person: Person, board: MessageView) -> Reply:
    """What somebody gets who asks for the animated picture in the replay of a match."""
    replay = (await person.press(board, label=say("button.replay"))).message
    await person.press(replay, label=say("button.more"))
    (files,) = [each for each in replay.selects if "replayfile" in (each.custom_id or "")]
    return await person.select(replay, custom_id=files.custom_id, values=["animation"])


async def test_it_is_posted_once_for_everybody_covered_and_described(sandbox: Sandbox, room: Cardroom) -> None:
    lobby, carol = sandbox.channel("lobby"), sandbox.user("Carol")
    board, code = await finished(room, sandbox.user("Alice"), sandbox.user("Bob"), lobby)
    lobby.deny(Permission.ATTACH_FILES)
    refused = await asked(carol, board)
    assert (refused.visibility, refused.text) == (
        "ephemeral",
        say("place.permission", missing=say("permission.attach_files")),
    )
    lobby.allow(Permission.ATTACH_FILES)
    posted = await asked(carol, board)
    assert posted.visibility == "public"
    (file,) = posted.message.raw["attachments"]
    assert (file["filename"], file["content_type"]) == ("SPOILER_match.gif", "image/gif")
    content = sandbox.file(int(file["id"]))
    assert len(content) <= MOST_BYTES
    with Image.open(BytesIO(content)) as opened:
        assert opened.size == (480, 206)
        frames: Any = opened
        assert frames.n_frames == len(await room.store.records(code))
    first, *table = file["description"].splitlines()
    assert first.startswith("A match of Haymaker, animated, ")
    assert sum(", winner, " in line for line in table) == 1
    again = await asked(sandbox.user("Dave"), board)
    assert (again.visibility, again.text[:24]) == ("ephemeral", say("post.again", when="")[:24])
