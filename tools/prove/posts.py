"""What the bot may post: boards, mentions, the same nonce twice, in slow mode; how far this machine's clock
is from Discord's; what needs Embed Links and Attach Files; how long texts may be.

The bot tells late presses by the difference of the clocks (`cogs.interactions.arrivals`); ids contain the time when
they were made (https://discord.com/developers/docs/reference#snowflakes). Permissions are measured with what the bot
has in the channel: to learn more, take one away and run it again. The bot cuts texts at 3,900 UTF-16 units
(`cogs.screens.renderer`), which is safe in either unit if 4,000 is the limit.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from typing import Final

from bot.ops.check import ADMINISTRATOR, NEEDED
from tools.prove.api import Answer
from tools.prove.scene import EPHEMERAL, SILENT, CannotMeasure, Measure, Scene, measured, needed, texts, with_button

BYPASS_SLOW_MODE: Final = (1 << 13) | (1 << 4) | (1 << 52)
"""Manage Messages, Manage Channels and Bypass Slowmode
(https://discord.com/developers/docs/topics/permissions#permissions-bitwise-permission-flags)."""


async def board(scene: Scene) -> AsyncIterator[Measure]:
    """Edit the message that was pressed, by the bot's own token and while the press is being answered."""
    path = f"{scene.channel_path}/messages/{scene.board_id}"
    answer = await scene.edit(path, scene.say("place.prove_started"))
    yield measured("an edit of the message that was pressed", answer, "taken")


async def mentions(scene: Scene) -> AsyncIterator[Measure]:
    """Mention the operator, and see whether Discord took it for a mention. Whether it notified only they can see."""
    person = str(scene.press.user_id)
    allowed = {"parse": [], "users": [person]}
    answer = await scene.post({"content": f"<@{person}>", "allowed_mentions": allowed, "flags": SILENT})
    named = answer.taken and [each["id"] for each in answer.body.get("mentions", ())] == [person]
    result = "names the operator" if named else "names nobody" if answer.taken else str(answer)
    yield measured("a mention", result, "names the operator")


async def nonces(scene: Scene) -> AsyncIterator[Measure]:
    """Post twice with the same nonce, which `enforce_nonce` makes one message."""
    name = "the same nonce twice"
    body = {**texts(scene.say("place.prove_message"), flags=SILENT), "nonce": scene.mark[-20:], "enforce_nonce": True}
    first, second = [needed(name, await scene.post(body))["id"] for _ in range(2)]
    yield measured(name, "one message" if first == second else "two messages", "one message")


async def slow_mode(scene: Scene) -> AsyncIterator[Measure]:
    """Post twice in a row, if the channel is in slow mode."""
    name = "slow mode"
    pause = scene.channel.get("rate_limit_per_user") or 0
    if not pause:
        raise CannotMeasure(name, "the channel has none: choose one that has, to measure it")
    body = with_button(scene.say("place.prove_message"), scene.say("place.prove_here"), f"{scene.mark}:slow")
    await scene.post(body)
    answer = await scene.post(body, at_once=True)
    excused = " (the bot has a permission that excuses it)" if scene.press.permissions & BYPASS_SLOW_MODE else ""
    result = f"{pause} s: the second of two posts {answer}{excused}"
    yield measured(name, result, "taken", as_expected=answer.taken)


EPOCH_MS: Final = 1_420_070_400_000
CLOSE: Final = 1000
"""Milliseconds by which the clocks may differ, and within which a press should arrive."""
CLOCK: Final = "clock of this machine"


def made_at(snowflake: int) -> int:
    """When an id was made, in ms UTC."""
    return (snowflake >> 22) + EPOCH_MS


def now_ms() -> int:
    """This machine's time of day in ms UTC."""
    return time.time_ns() // 1_000_000


async def clock(scene: Scene) -> AsyncIterator[Measure]:
    """Post a message, and compare the time in its id with the middle of the request."""
    sent = now_ms()
    posted = needed(CLOCK, await scene.post(texts(scene.say("place.prove_message"), flags=SILENT)))
    took = now_ms() - sent
    ahead = sent + took // 2 - made_at(int(posted["id"]))
    where = "ahead of" if ahead >= 0 else "behind"
    result = f"{abs(ahead)} ms {where} Discord, give or take {took // 2} ms"
    yield measured(CLOCK, result, f"within {CLOSE} ms", as_expected=abs(ahead) <= CLOSE + took // 2)
    late = max(0, scene.press.late - ahead)
    yield measured("a press arrives", f"after {late} ms", f"within {CLOSE} ms", as_expected=late <= CLOSE)


async def permissions(scene: Scene) -> AsyncIterator[Measure]:
    """Say what the bot lacks, then post a text with a link, and send a private file."""
    lacking = [name for name, bit in NEEDED.items() if not _has(scene, bit)]
    yield measured("permissions that the bot lacks", ", ".join(lacking) or "none", "none", as_expected=not lacking)
    link = await scene.post(texts("https://discord.com", flags=SILENT))
    yield _with_permission(scene, "a text with a link", "Embed Links", link)
    body = {"flags": EPHEMERAL, "attachments": [{"id": 0, "filename": "prove.json"}]}
    file = await scene.follow_up(body, file=("prove.json", b"{}\n"))
    yield _with_permission(scene, "a file in a private answer", "Attach Files", file)


def _has(scene: Scene, bit: int) -> bool:
    return bool(scene.press.permissions & (bit | ADMINISTRATOR))


def _with_permission(scene: Scene, what: str, permission: str, answer: Answer) -> Measure:
    how = "with" if _has(scene, NEEDED[permission]) else "without"
    return measured(f"{what}, {how} {permission}", answer, "taken")


CUT_AT: Final = 3900
LONGEST_TEXT: Final = 4000
EMOJI: Final = "\N{GAME DIE}"
"""One code point, two UTF-16 units."""
UNIT: Final = "unit of text length"


async def text_length(scene: Scene) -> AsyncIterator[Measure]:
    """Edit the private answer to texts of several lengths."""
    for length in (CUT_AT, LONGEST_TEXT, LONGEST_TEXT + 1):
        answer = await _show(scene, length * "x")
        yield _length_line(f"a text of {length} letters", answer, taken=length <= LONGEST_TEXT)
    halves = await _show(scene, LONGEST_TEXT // 2 * "x", (LONGEST_TEXT // 2 + 1) * "x")
    yield _length_line(f"two texts of {LONGEST_TEXT + 1} letters together", halves, taken=False)
    yield _length_line(f"a text of {CUT_AT // 2} emojis", await _show(scene, CUT_AT // 2 * EMOJI), taken=True)
    emojis = await _show(scene, (LONGEST_TEXT // 2 + 1) * EMOJI)
    if emojis.limited:
        raise CannotMeasure(UNIT, str(emojis))
    yield measured(UNIT, "code points" if emojis.taken else "UTF-16 units", "code points")


async def _show(scene: Scene, *lines: str) -> Answer:
    return await scene.edit(f"{scene.press.hook}/messages/@original", *lines)


def _length_line(name: str, answer: Answer, *, taken: bool) -> Measure:
    return measured(name, answer, "taken" if taken else "refused (400, code 50035)")
