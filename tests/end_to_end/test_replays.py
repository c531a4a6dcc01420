"""Finished matches again: `/history`, `/replay`, their buttons, and what stays private, on the real client."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from PIL import Image

from bot.play.deals.match_export import read
from bot.play.deals.proof import judge
from bot.ui.catalogue import translations
from bot.ui.screen import Press
from cogs.actions.file_queue import FileQueue
from cogs.interactions import post_budget, time_limits
from cogs.replays import commands, screens
from cogs.replays.exports import EXPORTS, Export, Exported, ExportFile
from cogs.replays.history_screen import PAGE
from cogs.replays.queries import ReplayQueries
from cogs.reviews.commands import FinishedReviews
from cogs.screens import custom_ids
from discord_sandbox import DrivenChannel, MessageView, Permission, Person, Reply, Sandbox
from tests.bot.store.rows import played
from tests.end_to_end.cardroom import Cardroom, cardroom, eventually
from tests.end_to_end.players import challenge, hand_of, plain_move, resign
from tests.end_to_end.practising import says

say = translations("en")
REPLAY, NEXT, LAST = say("button.replay"), say("replay.next"), say("replay.last")
KEEP, SHARE, WATCH = say("replay.keep_private"), say("replay.share"), say("replay.watch")
MORE = say("button.more")
MOVES = 2


async def finished(room: Cardroom, alice: Person, bob: Person, lobby: DrivenChannel) -> tuple[MessageView, str]:
    """A match in which each made a move, then Alice resigned: its board and its code."""
    board = await challenge(alice, bob, lobby)
    (match,) = room.app.matches.live()
    for _ in range(MOVES):
        mover = (alice, bob)[min(match.awaited)]
        await plain_move(mover, await hand_of(mover, board))
    await resign(alice, board)
    await eventually(lambda: says(board, REPLAY))
    return board, match.id


async def test_a_replay_is_spoiler_free_shared_survives_a_restart_and_is_private_when_both_agree(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    alice, bob, carol = (sandbox.user(name) for name in ("Alice", "Bob", "Carol"))
    lobby, elsewhere = sandbox.channel("lobby"), sandbox.channel("general", server="Second Server")
    async with cardroom(sandbox, tmp_path) as room:
        board, code = await finished(room, alice, bob, lobby)
        opened = await carol.press(board, label=REPLAY)
        assert opened.visibility == "ephemeral"
        assert say("replay.deal", when="")[:10] in opened.text
        beginning = opened.text
        moved = await carol.press(opened.message, label=NEXT)
        assert moved.kind == "update"
        assert "**Move 1** · " in moved.text
        assert "wins" not in beginning + moved.text
        await carol.press(opened.message, label=MORE)
        shared = await carol.press(opened.message, label=SHARE)
        assert shared.visibility == "public"
        assert "wins" not in shared.text
        again = await carol.press(opened.message, label=SHARE)
        assert (again.visibility, again.text[:24]) == ("ephemeral", say("post.again", when="")[:24])
        await carol.press(opened.message, label=say("button.previous"))
    async with cardroom(sandbox, tmp_path) as room:
        moved = await carol.press(opened.message, label=NEXT)
        assert "**Move 2** · " in moved.text
        ended = await carol.press(opened.message, label=LAST)
        assert f"**Move {MOVES + 1} of {MOVES + 1}** · " in ended.text
        assert "Bob wins" in ended.text
        assert "Alice resigns." in ended.text
        watched = await bob.press(shared.message, label=WATCH)
        assert (watched.visibility, watched.kind) == ("ephemeral", "message")
        by_code = await carol.slash(lobby, "replay", code=f" `{code.upper()}` ")
        assert (by_code.visibility, by_code.text) == ("ephemeral", beginning)
        unknown = await carol.slash(lobby, "replay", code="nosuchcode")
        assert unknown.text == say("replay.unknown")
        assert (await carol.slash(elsewhere, "replay", code=code)).text == unknown.text
        await alice.press(await own(alice, lobby), label=KEEP)
        assert say("history.wished", players="Alice") in (await bob.slash(lobby, "history")).text
        assert code in (await carol.slash(lobby, "replay", code=code)).text
        await bob.press(await own(bob, lobby), label=KEEP)
        assert (await carol.slash(lobby, "replay", code=code)).text == unknown.text
        assert (await carol.press(shared.message, label=WATCH)).text == unknown.text
        assert (await carol.slash(lobby, "history", user=alice)).text.endswith(say("history.none_of"))
        assert say("history.private") in (await alice.slash(lobby, "history")).text


async def test_a_file_that_is_for_everybody_is_posted_also_where_making_it_takes_long(
    sandbox: Sandbox, room: Cardroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    slow = [False]

    def make(given: Exported) -> ExportFile:
        time.sleep(time_limits.DEFER_AFTER + 0.3 if slow[0] else 0)
        return ExportFile("match.gif", given.replay.id.encode(), "what it shows")

    for module in (screens, commands):
        monkeypatch.setattr(module, "EXPORTS", (Export("animation", make, public=True),))
    board, code = await finished(room, alice, bob, lobby)
    opened = (await alice.press((await alice.press(board, label=REPLAY)).message, label=MORE)).message
    (_, files) = opened.selects
    monkeypatch.setattr(post_budget, "SAME_POST_AFTER", 0)  # the same may be posted again at once
    for slow[0] in (False, True):
        before = len(lobby.messages)
        await alice.select(opened, custom_id=files.custom_id, values=["animation"])
        await eventually(partial(posted, lobby, before + 1))
        message = lobby.messages[-1].raw
        assert [each["filename"] for each in message["attachments"]] == ["match.gif"]
        assert message["attachments"][0]["description"] == "what it shows"
        assert message["content"] == "Replay · Haymaker: Alice vs Bob"
    for seat in (0, 1):
        await ReplayQueries(room.store).set_private_wish(code, seat, wanted=True)
    refused = await alice.select(opened, custom_id=files.custom_id, values=["animation"])
    assert (refused.visibility, refused.text) == ("ephemeral", say("replay.not_shared"))


async def posted(lobby: DrivenChannel, count: int) -> bool:
    """Whether the channel has this number of messages."""
    return len(lobby.messages) == count


async def own(person: Person, lobby: DrivenChannel) -> MessageView:
    """What is behind *More…* on somebody's latest replay."""
    return (await person.press((await person.slash(lobby, "replay")).message, label=MORE)).message


async def test_a_long_history_is_paged_by_key_there_and_back(sandbox: Sandbox, room: Cardroom) -> None:
    alice, lobby = sandbox.user("Alice"), sandbox.channel("lobby")
    none = await alice.slash(lobby, "history")
    assert say("history.none") in none.text
    for number in range(2 * PAGE + 1):
        await played(room.store, f"m{number}", (1, 2), seats=(alice.id, 7), guild=lobby.server_id or 0)
    listed = (await alice.slash(lobby, "history", game="haymaker")).message
    found = [lines_of(listed)]
    while not (older := listed.find_button(say("history.older"))) or not older.disabled:
        await alice.press(listed, label=say("history.older"))
        found.append(lines_of(listed))
    assert found == [
        [f"m{number}" for number in page] for page in (range(16, 8, -1), range(8, 0, -1), range(0, -1, -1))
    ]
    for page in (1, 0):
        await alice.press(listed, label=say("history.newer"))
        assert lines_of(listed) == found[page]
    newer = listed.find_button(say("history.newer"))
    assert newer is not None
    assert newer.disabled


def lines_of(listed: MessageView) -> list[str]:
    """The codes of the matches on a page."""
    (choosing,) = listed.selects
    codes = [option.value for option in choosing.options]
    assert listed.text.count(say("history.won")) == len(codes)
    return codes


# ---------------------------------------------------------------------------------------------- files of a match


def files_of(opened: MessageView) -> str:
    """The custom id of the list of files."""
    (found,) = [each.custom_id for each in opened.selects if {"page", "json"} <= {o.value for o in each.options}]
    return found


async def test_anybody_who_sees_a_match_saves_it_and_others_learn_nothing(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob, carol = (sandbox.user(name) for name in ("Alice", "Bob", "Carol"))
    lobby = sandbox.channel("lobby")
    board, code = await finished(room, alice, bob, lobby)
    opened = (await carol.press((await carol.press(board, label=REPLAY)).message, label=MORE)).message
    saved: dict[str, bytes] = {}
    for each in EXPORTS:
        if each.public:
            continue
        reply = await carol.select(opened, custom_id=files_of(opened), values=[each.key])
        assert (reply.visibility, reply.kind) == ("ephemeral", "message")
        (file,) = reply.message.raw["attachments"]
        assert file["filename"].startswith(f"cardroom-{code}.")
        async with aiohttp.ClientSession() as session, session.get(file["url"]) as answer:
            saved[each.key] = await answer.read()
    match = read(saved["json"])
    assert judge(match.row, match.records, match.result, match.sealed_at).fits
    assert b"<title>Haymaker: Alice vs Bob</title>" in saved["page"]
    for name in (b"Alice", b"Bob"):
        assert name not in saved["json"]
    for player in (alice, bob):
        await player.press(await own(player, lobby), label=KEEP)
    refused = await carol.select(opened, custom_id=files_of(opened), values=["json"])
    assert refused.text == say("match.private"), "the result has opened this replay, and says so itself"


async def test_what_becomes_private_while_it_is_made_is_not_posted(
    sandbox: Sandbox, room: Cardroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    board, code = await finished(room, alice, bob, lobby)
    held, private = asyncio.Semaphore(0), asyncio.Event()
    for of, name in ((FileQueue, "made"), (FinishedReviews, "review_of")):
        method: Callable[..., Awaitable[Any]] = getattr(of, name)

        async def slowly(*given: Any, method: Callable[..., Awaitable[Any]] = method) -> Any:
            held.release()
            await private.wait()
            return await method(*given)

        monkeypatch.setattr(of, name, slowly)
    posted = {each.id for each in lobby.messages}
    pressed = [
        asyncio.create_task(player.press(board, custom_id=custom_ids.write(code, press), force=True))
        for player, press in ((alice, Press("replayfile", 0, "animation")), (bob, Press("storypost")))
    ]
    for _ in pressed:
        await asyncio.wait_for(held.acquire(), 10)
    for player in (alice, bob):
        await player.press(await own(player, lobby), label=KEEP)
    private.set()
    assert [(await each).text for each in pressed] == [say("replay.not_shared"), say("story.private")]
    assert {each.id for each in lobby.messages} == posted


# ------------------------------------------------------------------------------------------ its animated picture


MOST_BYTES = 250 * 1024


async def animated(person: Person, board: MessageView) -> Reply:
    """What somebody gets who asks for the animated picture in the replay of a match."""
    replay = (await person.press(board, label=say("button.replay"))).message
    await person.press(replay, label=say("button.more"))
    (files,) = [each for each in replay.selects if "replayfile" in (each.custom_id or "")]
    return await person.select(replay, custom_id=files.custom_id, values=["animation"])


async def test_it_is_posted_once_for_everybody_covered_and_described(sandbox: Sandbox, room: Cardroom) -> None:
    lobby, carol = sandbox.channel("lobby"), sandbox.user("Carol")
    board, code = await finished(room, sandbox.user("Alice"), sandbox.user("Bob"), lobby)
    lobby.deny(Permission.ATTACH_FILES)
    refused = await animated(carol, board)
    assert (refused.visibility, refused.text) == (
        "ephemeral",
        say("place.permission", missing=say("permission.attach_files")),
    )
    lobby.allow(Permission.ATTACH_FILES)
    posted = await animated(carol, board)
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
    again = await animated(sandbox.user("Dave"), board)
    assert (again.visibility, again.text[:24]) == ("ephemeral", say("post.again", when="")[:24])
