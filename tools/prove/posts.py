"""D10, D17: what the bot may post and edit by its own token: boards, mentions, the same nonce twice, in slow mode."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Final

from tools.prove.bodies import SILENT, edited, texts, with_button
from tools.prove.report import Measure, measured, not_measured
from tools.prove.scene import Scene

BYPASS_SLOW_MODE: Final = (1 << 13) | (1 << 4) | (1 << 52)
"""Manage Messages, Manage Channels and Bypass Slowmode
(https://discord.com/developers/docs/topics/permissions#permissions-bitwise-permission-flags)."""


async def board(scene: Scene) -> AsyncIterator[Measure]:
    """Edit the message that was pressed, by the bot's own token and while the press is being answered."""
    path = f"{scene.channel_path}/messages/{scene.board_id}"
    answer = await scene.api.request("PATCH", path, edited(texts(scene.say("place.prove_started"))))
    yield measured("an edit of the message that was pressed", str(answer), "taken", as_expected=answer.taken)


async def mentions(scene: Scene) -> AsyncIterator[Measure]:
    """Mention the operator, and see whether Discord took it for a mention. Whether it notified only they can see."""
    name = "a mention"
    person = str(scene.press.user_id)
    allowed = {"parse": [], "users": [person]}
    body = {"content": f"<@{person}>", "allowed_mentions": allowed, "flags": SILENT}
    answer = await scene.post(body)
    if not answer.taken:
        yield measured(name, str(answer), "names the operator", as_expected=False)
        return
    named = [each["id"] for each in answer.body.get("mentions", ())] == [person]
    result = "names the operator" if named else "names nobody"
    yield measured(name, result, "names the operator", as_expected=named)


async def nonces(scene: Scene) -> AsyncIterator[Measure]:
    """Post twice with the same nonce, which `enforce_nonce` makes one message."""
    name = "the same nonce twice"
    body = {**texts(scene.say("place.prove_message"), flags=SILENT), "nonce": scene.mark[-20:], "enforce_nonce": True}
    first, second = await scene.post(body), await scene.post(body)
    if not (first.taken and second.taken):
        yield not_measured(name, f"{first}, {second}")
        return
    found = "one message" if first.body["id"] == second.body["id"] else "two messages"
    yield measured(name, found, "one message", as_expected=found == "one message")


async def slow_mode(scene: Scene) -> AsyncIterator[Measure]:
    """Post twice in a row, if the channel is in slow mode."""
    name = "slow mode"
    pause = scene.channel.get("rate_limit_per_user") or 0
    if not pause:
        yield not_measured(name, "the channel has none: choose one that has, to measure it")
        return
    body = with_button(scene.say("place.prove_message"), scene.say("place.prove_here"), f"{scene.mark}:slow")
    await scene.post(body)
    answer = await scene.post(body, at_once=True)
    excused = " (the bot has a permission that excuses it)" if scene.press.permissions & BYPASS_SLOW_MODE else ""
    result = f"{pause} s: the second of two posts {answer}{excused}"
    yield measured(name, result, "taken", as_expected=answer.taken)
