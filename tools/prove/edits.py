"""How many edits Discord takes: through one press's token, at once and in a minute, of boards through the token of
a press (decision 33), also one in a hand, and of messages older than an hour.

Hands are messages through a token. The bot edits each of them once a second at most; a race makes many such edits in a
channel. Each series ends with its first refusal. A press that accepts a challenge is answered by updating the
challenge, which is the board from then on; the bot edits it through that press's token, and by its own token if Discord
refuses. For old messages a run leaves one; a run an hour later finds it, edits it, and removes it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from itertools import count
from typing import Final

from tools.prove import scene as scenes
from tools.prove.api import Answer
from tools.prove.posts import made_at

AT_ONCE: Final = 5
"""How many requests through a token Discord is known to take within two seconds."""
ANEW: Final = 2.0
"""Seconds after which earlier requests through the token count no more."""
BURST_SECONDS: Final = 5.0
BURST_EDITS, BURST_MESSAGES = 30, 10
STEADY_EDITS, EDIT_SPACING = 120, 0.5
STEADY_MESSAGES, MESSAGE_SPACING = 40, 1.0
"""How many requests a series makes, and seconds between two of a steady one. More than 30 within a minute show whether
the limit of 30 a minute that library authors report exists."""


@dataclass(frozen=True, slots=True)
class Series:
    """How many requests were taken in how many seconds, and the refusal that ended the series, if one did."""

    taken: int
    seconds: float
    refusal: Answer | None

    def __str__(self) -> str:
        end = "no refusal" if self.refusal is None else f"then {self.refusal}"
        return f"{self.taken} in {self.seconds:.1f} s, {end}"


async def series(send: Callable[[], Awaitable[Answer]], most: int, spacing: float, within: float) -> Series:
    """Send until a request is refused, at most `most` times, and no new one after `within` seconds."""
    loop = asyncio.get_running_loop()
    began = loop.time()
    for number in range(most):
        await asyncio.sleep(began + number * spacing - loop.time())
        if loop.time() - began >= within:
            return Series(number, loop.time() - began, None)
        answer = await send()
        if not answer.taken:
            return Series(number, loop.time() - began, answer)
    return Series(most, loop.time() - began, None)


UNCHANGED: Final = "an edit of a hand that changes nothing"
MARKED: Final = "marked as edited"


async def edits(scene: scenes.Scene) -> AsyncIterator[scenes.Measure]:
    """Edit the private answer, first into what it is: if that marks it as edited, a hand could be marked so before its
    first press, which moves its buttons by that line."""
    path = f"{scene.press.hook}/messages/@original"
    numbers = count(1)
    same = scenes.needed(UNCHANGED, await scene.edit(path, scene.say("place.prove_message"), at_once=True))
    yield scenes.measured(UNCHANGED, MARKED if same["edited_timestamp"] else "not marked", MARKED)

    async def edit() -> Answer:
        return await scene.edit(path, scene.say("place.prove_number", number=next(numbers)), at_once=True)

    await asyncio.sleep(ANEW)
    yield await _burst("edits of a hand, at once", edit, BURST_EDITS)
    await scene.api.wait_until_free("PATCH", path)
    yield await _steady("edits of a hand, 2 a second for a minute", edit, STEADY_EDITS, EDIT_SPACING)


async def messages(scene: scenes.Scene) -> AsyncIterator[scenes.Measure]:
    """Send further private messages."""
    numbers = count(1)

    async def send() -> Answer:
        body = scenes.texts(scene.say("place.prove_number", number=next(numbers)), flags=scenes.EPHEMERAL)
        return await scene.follow_up(body, at_once=True)

    yield await _burst("private messages, at once", send, BURST_MESSAGES)
    await scene.api.wait_until_free("POST", scene.press.hook)
    yield await _steady("private messages, 1 a second", send, STEADY_MESSAGES, MESSAGE_SPACING)


async def _burst(name: str, send: Callable[[], Awaitable[Answer]], most: int) -> scenes.Measure:
    found = await series(send, most, 0.0, BURST_SECONDS)
    end = found.refusal
    usual = end is None or (end.limited and end.scope in ("user", ""))
    enough = found.taken >= AT_ONCE or (end is None and found.seconds >= BURST_SECONDS)
    return scenes.measured(name, found, f"{AT_ONCE} or more, then scope user", as_expected=usual and enough)


async def _steady(name: str, send: Callable[[], Awaitable[Answer]], most: int, spacing: float) -> scenes.Measure:
    found = await series(send, most, spacing, 2 * most * spacing)
    return scenes.measured(name, found, f"{most}, no refusal", as_expected=found.refusal is None)


BETWEEN: Final = 3
"""How many edits through the token are made between two by the bot's own."""
UNKNOWN_MESSAGE: Final = "refused (404, code 10008)"
FROM_A_HAND: Final = "an edit of a board, through the token of a press in a private message"
UPDATED: Final = "an edit of the message that a press has updated, through its token"
APART: Final = "edits through a token, beside the bot's own"


async def boards(scene: scenes.Scene) -> AsyncIterator[scenes.Measure]:
    """Edit the message with *Start*, whose press was answered in private, through that press's token and through one of
    a press in a private message, as in a hand; and then a message that a press has updated."""
    refused = await _edit(scene, f"{scene.press.hook}/messages/{scene.board_id}")
    yield scenes.measured(
        "an edit of the message that was pressed, through the token of a private answer", refused, UNKNOWN_MESSAGE
    )
    yield await _from_a_hand(scene)
    custom_id = f"{scene.mark}:board"
    body = scenes.with_button(scene.say("place.prove_press_here"), scene.say("place.prove_here"), custom_id)
    posted = scenes.needed(UPDATED, await scene.post(body))
    pressed = await scene.pressed_here(custom_id, "channel")
    if pressed is None:
        raise scenes.CannotMeasure(UPDATED, "nobody pressed the button")
    await scene.answer(pressed, scenes.edited(scenes.texts(scene.say("place.prove_message"))), scenes.UPDATE)
    by_token = f"{pressed.hook}/messages/@original"
    answer = await _edit(scene, by_token)
    another = " (another message)" if answer.taken and answer.body["id"] != posted["id"] else ""
    yield scenes.measured(UPDATED, f"{answer}{another}", "taken")
    yield await _apart(scene, by_token, f"{scene.channel_path}/messages/{posted['id']}")


async def _from_a_hand(scene: scenes.Scene) -> scenes.Measure:
    custom_id = f"{scene.mark}:hand"
    body = scenes.with_button(scene.say("place.prove_press_here"), scene.say("place.prove_here"), custom_id)
    scenes.needed(FROM_A_HAND, await scene.follow_up({**body, "flags": scenes.COMPONENTS_V2 | scenes.EPHEMERAL}))
    pressed = await scene.pressed_here(custom_id, "private message")
    if pressed is None:
        return scenes.not_measured(FROM_A_HAND, "nobody pressed the button")
    await scene.answer(pressed, scenes.edited(scenes.texts(scene.say("place.prove_message"))), scenes.UPDATE)
    return scenes.measured(
        FROM_A_HAND, await _edit(scene, f"{pressed.hook}/messages/{scene.board_id}"), UNKNOWN_MESSAGE
    )


async def _apart(scene: scenes.Scene, by_token: str, path: str) -> scenes.Measure:
    """Whether edits through the token leave as many of the channel's edits to the bot's own token. Raises
    CannotMeasure."""
    before = await _edit(scene, path)
    between = [await _edit(scene, by_token) for _ in range(BETWEEN)]
    after = await _edit(scene, path, at_once=True)
    for each in (before, *between):
        scenes.needed(APART, each)
    left = [int(each.headers.get("X-RateLimit-Remaining", -1)) for each in (before, after)]
    if -1 in left:
        raise scenes.CannotMeasure(APART, "Discord does not say how many edits are left")
    # The channel's time may begin again meanwhile: then more are left than before.
    apart = after.taken and left[0] - left[1] <= 1
    return scenes.measured(APART, "counted apart" if apart else "counted together", "counted apart")


async def _edit(scene: scenes.Scene, path: str, *, at_once: bool = False) -> Answer:
    return await scene.edit(path, scene.say("place.prove_message"), at_once=at_once)


OLD_AFTER: Final = 3_600_000
"""Milliseconds."""
OLD_TAKEN: Final = 3
TOO_MANY_EDITS: Final = 30046
"""Discord's error code (https://discord.com/developers/docs/topics/opcodes-and-status-codes#json)."""
OLD_MOST, OLD_SPACING, OLD_WITHIN = 12, 1.0, 20.0
OLD_EDITS: Final = "edits of an old message, 1 a second"
NONE_YET: Final = "run again with --again in an hour"


async def old(scene: scenes.Scene, own_id: int) -> AsyncIterator[scenes.Measure]:
    """Edit a message of an earlier run, if there is one older than an hour, and remove all of them.

    It first posts one for the next run, whose id also tells Discord's time, and keeps it if there is no other.
    """
    path, kept = f"{scene.channel_path}/messages", scene.say("place.prove_kept")
    newest = int(
        scenes.needed(OLD_EDITS, await scene.api.request("POST", path, scenes.texts(kept, flags=scenes.SILENT)))["id"]
    )
    earlier = [each for each in await _kept(scene, own_id, kept) if each < newest]
    old = [each for each in earlier if made_at(newest) - made_at(each) > OLD_AFTER]
    if old:
        found = await series(
            lambda: scene.edit(f"{path}/{old[0]}", kept, at_once=True), OLD_MOST, OLD_SPACING, OLD_WITHIN
        )
        end = found.refusal
        as_expected = found.taken == OLD_TAKEN and end is not None and end.code == TOO_MANY_EDITS
        yield scenes.measured(OLD_EDITS, found, f"{OLD_TAKEN}, then code {TOO_MANY_EDITS}", as_expected=as_expected)
    else:
        yield scenes.not_measured(OLD_EDITS, NONE_YET)
    for each in (*(earlier if old else ()), *([newest] if earlier else ())):
        await scene.api.request("DELETE", f"{path}/{each}")


async def _kept(scene: scenes.Scene, own_id: int, text: str) -> list[int]:
    """The messages of this text that runs left among the last hundred of the channel, the oldest first."""
    answer = await scene.api.request("GET", f"{scene.channel_path}/messages?limit=100")
    own = [each for each in answer.body if int(each["author"]["id"]) == own_id] if answer.taken else []
    return sorted(int(each["id"]) for each in own if [part.get("content") for part in each["components"][:1]] == [text])
