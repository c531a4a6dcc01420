"""Measures how old an interaction is when it arrives.

Discord's snowflakes carry their own time (milliseconds since 2015). The host's clock may be off by any amount, so an
interaction's delay (the host's time minus the id's) says nothing by itself. It is compared with the delays of others.
The host's time is the monotonic clock: the time of day may jump, and then every press would look late.

An id may carry a wrong time too, because Discord makes ids on many machines. So an interaction is compared with the
median of many delays, and over a live line it is late only if several others agree. A live line may fall silent too,
and then deliver many late ones at once. Together they count as one, or they would soon be the median. An interaction
may have been *held up*: the gateway replayed it after a lost connection, or the event loop stood still. Then nothing
speaks for it, and it is late unless the delays show that it is not.

The gateway may also deliver an interaction twice. The second must not be answered, because Discord accepts one first
response.

`BurstLimit` limits how fast each person may press, so that nobody can slow down the others.
"""

from __future__ import annotations

import math
from bisect import bisect_left, insort
from collections import deque

from bot.gateway.discord_time import made_at
from bot.kept import Kept
from cogs.interactions.time_limits import MAX_AGE

_WINDOW = 3600.0
"""Seconds for which a delay counts. In that time two clocks drift apart by a third of a second at most (100 ppm)."""
_MOST = 63
_FEWEST = 3
"""How many delays are compared at most, and at least before an interaction that was not held up is called late."""
_BURST = 1.0
"""Seconds in which a line that was silent surely delivers everything. Of late interactions, one counts in that time."""
_REMEMBERED = 4096
"""How many interactions to remember: more than can be in flight, or arrive within `time_limits.MAX_AGE` seconds."""
_MOST_PEOPLE = 16_384
"""More than can press within a second. Their deques take 12 MB."""

SECOND = 1.0
REMEMBERED = 1024
"""Above this many people, those who have stopped pressing are forgotten."""


class InteractionAge:
    """The offset between the host's monotonic clock and Discord's, learned from the interactions that arrive."""

    def __init__(self) -> None:
        self._delays: deque[tuple[float, float]] = deque()
        self._sorted: list[float] = []
        """The same delays, the shortest first."""
        self._late_at = -math.inf
        """When a late one last counted."""
        self._received: Kept[int, None] = Kept("interactions that came", _REMEMBERED)

    def is_duplicate(self, interaction_id: int) -> bool:
        """Whether this interaction has already arrived, as far back as it could still be answered."""
        if interaction_id in self._received:
            return True
        self._received[interaction_id] = None
        return False

    def age(self, interaction_id: int, *, held_up: bool, now: float) -> float:
        """Seconds since Discord made this interaction, never negative; infinity if that is unknown and may be long ago.

        `held_up` says that it may have waited somewhere on its way. `now` is in seconds since any fixed moment.
        """
        delay = now - made_at(interaction_id) / 1000
        while self._delays and now - self._delays[0][0] > _WINDOW:
            self._forget_oldest()
        usual = self._usual()
        age = max(0.0, delay - usual)
        if held_up:
            return age if self._delays else math.inf
        late = age > MAX_AGE
        believed = late and len(self._delays) < _FEWEST
        if not late:
            self._remember(now, delay)
        elif now - self._late_at >= _BURST:
            # If most are late for longer than a burst, their delay becomes the usual one, and they are not late.
            self._late_at = now
            self._remember(now, delay)
        return 0.0 if believed else age

    def _remember(self, now: float, delay: float) -> None:
        if len(self._delays) == _MOST:
            self._forget_oldest()
        self._delays.append((now, delay))
        insort(self._sorted, delay)

    def _forget_oldest(self) -> None:
        _, delay = self._delays.popleft()
        del self._sorted[bisect_left(self._sorted, delay)]

    def _usual(self) -> float:
        """The median of the delays, the greater one of two; infinity if there is none."""
        return self._sorted[len(self._sorted) // 2] if self._sorted else math.inf


class BurstLimit:
    """Everybody's presses in the last second. The bot acts on `most` per person."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._acted: Kept[int, deque[float]] = Kept("people who press", _MOST_PEOPLE)
        self._excess: Kept[int, int] = Kept("people who press too fast", _MOST_PEOPLE)
        self._forgot_at = float("-inf")

    def __len__(self) -> int:
        """How many people's presses are remembered."""
        return len(self._acted)

    def excess(self, user_id: int, now: float) -> int:
        """Count a press at `now` (seconds, never going back): 0 if it is acted on, else its number, from 1, among the
        presses in a row that are not."""
        if len(self._acted) > REMEMBERED and user_id not in self._acted and now - self._forgot_at >= SECOND:
            # Sooner there is nobody else to forget, and looking takes as long as there are people.
            self._forgot_at = now
            self._forget(now)
        acted = self._acted.setdefault(user_id, deque())
        while acted and now - acted[0] >= SECOND:
            acted.popleft()
        if len(acted) < self._most:
            if not acted:
                self._excess.pop(user_id, None)
            acted.append(now)
            return 0
        self._excess[user_id] = self._excess.get(user_id, 0) + 1
        return self._excess[user_id]

    def _forget(self, now: float) -> None:
        for user_id in [user_id for user_id, acted in self._acted.items() if now - acted[-1] >= SECOND]:
            del self._acted[user_id]
            self._excess.pop(user_id, None)
