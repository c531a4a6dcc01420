"""How far this machine's clock is from Discord's, and how soon a press arrives.

The bot tells late presses by the difference of the two (`cogs.interactions.arrivals`). Ids contain the time when they
were made (https://discord.com/developers/docs/reference#snowflakes).
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from typing import Final

from tools.prove.bodies import SILENT, texts
from tools.prove.report import Measure, measured, not_measured
from tools.prove.scene import Scene

EPOCH_MS: Final = 1_420_070_400_000
CLOSE: Final = 1000
"""Milliseconds by which the clocks may differ, and within which a press should arrive."""
NAME: Final = "clock of this machine"


def made_at(snowflake: int) -> int:
    """When an id was made, in ms UTC."""
    return (snowflake >> 22) + EPOCH_MS


def now_ms() -> int:
    """This machine's time of day in ms UTC."""
    return time.time_ns() // 1_000_000


async def measure(scene: Scene) -> AsyncIterator[Measure]:
    """Post a message, and compare the time in its id with the middle of the request."""
    sent = now_ms()
    answer = await scene.post(texts(scene.say("place.prove_message"), flags=SILENT))
    took = now_ms() - sent
    if not answer.taken:
        yield not_measured(NAME, str(answer))
        return
    ahead = sent + took // 2 - made_at(int(answer.body["id"]))
    where = "ahead of" if ahead >= 0 else "behind"
    result = f"{abs(ahead)} ms {where} Discord, give or take {took // 2} ms"
    yield measured(NAME, result, f"within {CLOSE} ms", as_expected=abs(ahead) <= CLOSE + took // 2)
    late = max(0, scene.press.late - ahead)
    yield measured("a press arrives", f"after {late} ms", f"within {CLOSE} ms", as_expected=late <= CLOSE)
