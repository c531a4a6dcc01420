"""An event loop whose time is virtual: when nothing is left to do, it jumps to the next timer.

So a test that waits for a day takes no time, and everything between comes in its order. A conftest that names this loop
in `pytest_asyncio_loop_factories` runs all tests of its folder in virtual time. They may use no thread and no socket:
the loop would not wait for those.
"""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Mapping
from typing import Final

STUCK_AFTER: Final = 5.0
"""Real seconds that the loop waits, with no timer set, before it says that what is awaited will never come."""

_MOMENT: Final = 1e-6
"""Virtual seconds. It is passed only when nothing else is left to do."""


class VirtualTimeLoop(asyncio.SelectorEventLoop):
    """A loop whose `time()` begins at 0 and passes only while all wait."""

    def __init__(self) -> None:
        self._passed = 0.0
        super().__init__(_JumpingSelector(self))

    def time(self) -> float:
        """Virtual seconds since the loop was made."""
        return self._passed

    def jump(self, seconds: float) -> None:
        """Let time pass at once, without what is due meanwhile: as if the loop had been blocked."""
        self._passed += seconds


class _JumpingSelector(selectors.DefaultSelector):
    """Asks what is ready, and instead of waiting lets the loop's time pass."""

    def __init__(self, loop: VirtualTimeLoop) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(0 if timeout is not None else STUCK_AFTER)
        if timeout is None and not ready:
            raise RuntimeError("the test waits for something that will never come")
        if timeout is not None and not ready:
            self._loop.jump(max(0.0, timeout))
        return ready


async def settle() -> None:
    """Return once nothing is left to do at this moment."""
    await asyncio.sleep(_MOMENT)


def loop_factories() -> Mapping[str, type[VirtualTimeLoop]]:
    """What a conftest's `pytest_asyncio_loop_factories` returns."""
    return {"virtual": VirtualTimeLoop}


def block(seconds: float) -> None:
    """Block the running loop for so long: nothing is called meanwhile."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, VirtualTimeLoop)
    loop.jump(seconds)
