"""A finished match saved as a file, from its replay, on the real client."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import aiohttp
import pytest

from bot.play.deals.match_export import read
from bot.play.deals.proof import judge
from bot.ui.catalogue import translations
from bot.ui.screen import Press
from cogs.actions.file_queue import FileQueue
from cogs.replays.exports import EXPORTS
from cogs.reviews.commands import FinishedReviews
from cogs.screens import custom_ids
from discord_sandbox import MessageView, Sandbox
from tests.end_to_end.cardroom import Cardroom
from tests.end_to_end.test_replays import KEEP, MORE, REPLAY, finished, own

say = translations("en")


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
