"""D3: how many edits and messages through one press's token Discord takes, at once and in a minute.

Hands are such messages. The bot edits each of them once a second at most; a race makes many such edits in a channel.
Each series ends with its first refusal.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from itertools import count
from typing import Final

from tools.prove.api import Answer
from tools.prove.bodies import EPHEMERAL, Body, edited, texts
from tools.prove.report import Measure, measured
from tools.prove.scene import Scene

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


async def edits(scene: Scene) -> AsyncIterator[Measure]:
    """Edit the private answer."""
    path = f"{scene.press.hook}/messages/@original"
    numbers = count(1)

    async def edit() -> Answer:
        body = edited(texts(scene.say("place.prove_number", number=next(numbers))))
        return await scene.api.request("PATCH", path, body, at_once=True)

    await asyncio.sleep(ANEW)
    yield await _burst("edits of a hand, at once", edit, BURST_EDITS)
    await scene.api.wait_until_free("PATCH", path)
    yield await _steady("edits of a hand, 2 a second for a minute", edit, STEADY_EDITS, EDIT_SPACING)


async def messages(scene: Scene) -> AsyncIterator[Measure]:
    """Send further private messages."""
    numbers = count(1)
    send = partial(
        _follow_up, scene, lambda: texts(scene.say("place.prove_number", number=next(numbers)), flags=EPHEMERAL)
    )
    yield await _burst("private messages, at once", send, BURST_MESSAGES)
    await scene.api.wait_until_free("POST", scene.press.hook)
    yield await _steady("private messages, 1 a second", send, STEADY_MESSAGES, MESSAGE_SPACING)


async def _follow_up(scene: Scene, body: Callable[[], Body]) -> Answer:
    answer = await scene.api.request("POST", scene.press.hook, body(), at_once=True)
    if answer.taken:
        scene.remove_later(f"{scene.press.hook}/messages/{answer.body['id']}")
    return answer


async def _burst(name: str, send: Callable[[], Awaitable[Answer]], most: int) -> Measure:
    found = await series(send, most, 0.0, BURST_SECONDS)
    end = found.refusal
    usual = end is None or (end.limited and end.scope in ("user", ""))
    enough = found.taken >= AT_ONCE or (end is None and found.seconds >= BURST_SECONDS)
    return measured(name, str(found), f"{AT_ONCE} or more, then scope user", as_expected=usual and enough)


async def _steady(name: str, send: Callable[[], Awaitable[Answer]], most: int, spacing: float) -> Measure:
    found = await series(send, most, spacing, 2 * most * spacing)
    return measured(name, str(found), f"{most}, no refusal", as_expected=found.refusal is None)
