"""D5: how long the texts of a message may be together, and in which unit Discord counts them.

The bot cuts at 3,900 UTF-16 units (`cogs.screens.renderer`), which is safe in either unit if 4,000 is the limit.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Final

from tools.prove.api import Answer
from tools.prove.bodies import edited, texts
from tools.prove.report import Measure, measured, not_measured
from tools.prove.scene import Scene

CUT_AT: Final = 3900
MOST: Final = 4000
EMOJI: Final = "\N{GAME DIE}"
"""One code point, two UTF-16 units."""
NAME: Final = "unit of text length"


async def measure(scene: Scene) -> AsyncIterator[Measure]:
    """Edit the private answer to texts of several lengths."""
    for length in (CUT_AT, MOST, MOST + 1):
        answer = await _show(scene, length * "x")
        yield _line(f"a text of {length} letters", answer, taken=length <= MOST)
    halves = await _show(scene, MOST // 2 * "x", (MOST // 2 + 1) * "x")
    yield _line(f"two texts of {MOST + 1} letters together", halves, taken=False)
    yield _line(f"a text of {CUT_AT // 2} emojis", await _show(scene, CUT_AT // 2 * EMOJI), taken=True)
    emojis = await _show(scene, (MOST // 2 + 1) * EMOJI)
    if emojis.limited:
        yield not_measured(NAME, str(emojis))
        return
    unit = "code points" if emojis.taken else "UTF-16 units"
    yield measured(NAME, unit, "code points", as_expected=emojis.taken)


async def _show(scene: Scene, *lines: str) -> Answer:
    return await scene.api.request("PATCH", f"{scene.press.hook}/messages/@original", edited(texts(*lines)))


def _line(name: str, answer: Answer, *, taken: bool) -> Measure:
    expected = "taken" if taken else "refused (400, code 50035)"
    return measured(name, str(answer), expected, as_expected=str(answer) == expected)
