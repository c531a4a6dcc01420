"""How long an answer may take, and the first response to an interaction whose answer takes longer.

Discord wants a first response within 3 seconds of the interaction, and takes a follow-up through its token for 15
minutes (https://discord.com/developers/docs/interactions/receiving-and-responding#responding-to-an-interaction). All
figures are seconds.

The bot waits longer than that for a store that another program has locked. So a timer starts when an interaction is
admitted. An answer stops it. If it expires first, the answer is deferred, privately, which is a first response too, and
the answer itself is then given another way (`cogs.interactions.responses`). The timer either stops or expires, so there
is always exactly one first response.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from enum import Enum, auto
from typing import Any

MAX_AGE = 3.0
"""An interaction that is older when it arrives is dropped: Discord has told its sender that it failed."""
DEFER_AFTER = 2.0
"""An answer that is not given by then is deferred. The rest of the three seconds is for the way to Discord."""
FIRST_RESPONSE_WITHIN = 2.8
"""How long a first response may take to send. Then the bot stops trying, because Discord no longer takes it."""
DEFERRED_WITHIN = 15.0
"""How long an answer that was deferred may take to send. Its token lives much longer, but a person waits."""


class Deferral(Enum):
    """Whether an answer was deferred, and what is shown in its place."""

    NOT = auto()
    UNSEEN = auto()
    """The pressed message, which only the presser sees, stays as it was. The interaction's token edits this message."""
    THINKING = auto()
    """A message that only the presser sees says that the bot is thinking. The token edits this message."""
    FILLED = auto()
    """As THINKING, but the message has been given its content."""


class DeferralTimer:
    """The deferral timer of one interaction."""

    __slots__ = ("_deferring", "_state", "_timer")

    def __init__(self, seconds: float, defer: Callable[[], Coroutine[Any, Any, Deferral]]) -> None:
        """Call `defer` to give the first response after `seconds`, unless the answer comes first."""
        self._deferring: asyncio.Task[Deferral] | None = None
        self._state = Deferral.NOT
        self._timer = asyncio.get_running_loop().call_later(seconds, self._expire, defer)

    async def answered(self) -> Deferral:
        """Stop the timer, because the answer is given now. If it has expired, wait until the answer is deferred."""
        if self._deferring is None:
            self._timer.cancel()
        elif self._state is Deferral.NOT:
            self._state = await self._deferring
        return self._state

    @property
    def expired(self) -> bool:
        """Whether the answer is being deferred, or was."""
        return self._deferring is not None

    def filled(self) -> None:
        """Record that the message in the answer's place now has its content."""
        if self._state is Deferral.THINKING:
            self._state = Deferral.FILLED

    def _expire(self, defer: Callable[[], Coroutine[Any, Any, Deferral]]) -> None:
        self._deferring = asyncio.get_running_loop().create_task(defer())
