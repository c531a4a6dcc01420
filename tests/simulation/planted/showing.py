"""Faults in what is shown, and in how presses are answered."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Any, Final

from bot.play.own_acts import OwnActs
from cogs.interactions import responses
from cogs.interactions.arrivals import InteractionAge
from cogs.updates import open_hands
from cogs.updates.board_updater import BoardUpdater
from cogs.updates.open_hands import OpenHands
from discord_sandbox import RequestFault, Snowflakes
from tests.simulation import world
from tests.simulation.planted.fault import Fault, replaced
from tests.simulation.weather_fields import Weather

_HANDS: Final = frozenset({"hands are true"})
_EPOCH: Final = 1_420_070_400.0


class _SmallestOffset:
    """How the age of an interaction was reckoned: by the smallest offset of the last ten minutes."""

    def __init__(self) -> None:
        self.seen: deque[tuple[float, float]] = deque()

    def age(self, interaction_id: int) -> float:
        """Seconds since Discord made it."""
        moment = asyncio.get_running_loop().time()
        difference = moment - ((interaction_id >> 22) / 1000 + _EPOCH)
        while self.seen and self.seen[-1][1] >= difference:
            self.seen.pop()
        self.seen.append((moment, difference))
        while moment - self.seen[0][0] > 600.0:
            self.seen.popleft()
        return difference - self.seen[0][1]


def _age(ages: Any, interaction_id: int, **_: Any) -> float:
    if not hasattr(ages, "smallest"):
        ages.smallest = _SmallestOffset()
    smallest: _SmallestOffset = ages.smallest
    return smallest.age(interaction_id)


_settle = getattr(OpenHands, "_settle")  # noqa: B009  a fault is planted in what is private


def _settle_without_looking(hands: Any, slot: Any) -> None:
    """After an answer, the match is not looked at: it may have moved on."""
    if slot.hand is not None:
        slot.hand.moment = _moment(slot.match)
    slot.crossed = False
    _settle(hands, slot)


_moment = getattr(open_hands, "_moment")  # noqa: B009  as above
_strike = world.ChanceFaults.strike


def _strike_hands(self: Any, method: str, path: str) -> RequestFault | None:
    """Some edits of hands are refused with 403, as a network in front of Discord may do."""
    if method == "PATCH" and path.startswith("/webhooks/") and self._requests.random() < 0.3:
        return RequestFault(0, method=method, path=path, status=403)
    return _strike(self, method, path)


_next = Snowflakes.next
_AHEAD: Final = 8_999 << 22
"""Nine seconds, as a snowflake counts them."""


def _next_from_the_future(self: Any) -> int:
    """One id in five hundred is ahead of its time. Those after it are greater, so they are too, for nine seconds."""
    made: int = _next(self)
    if (made >> 22) % 500 == 0:
        self._last = made = made + _AHEAD
    return made


_match_changed = BoardUpdater.match_changed
_tasks: set[asyncio.Task[Any]] = set()


def _two_tasks(self: Any, match: Any) -> None:
    _match_changed(self, match)
    if match.suspended is None and match.board_id is not None:
        task = asyncio.get_running_loop().create_task(self._update_alone(match))
        _tasks.add(task)
        task.add_done_callback(_tasks.discard)


SHOWING: Final = (
    Fault(
        "A6",
        "the age of a press is reckoned from the last ten minutes",
        frozenset({"failed is not applied"}),
        Weather(games=("champions",), tables=1, thinking=500.0, clocks=("daily",), silences=12.0, silence_seconds=90.0),
        (10, 15),
        4.0,
        (replaced(InteractionAge, "age", _age),),
        slow=True,
    ),
    Fault(
        "A8",
        "nobody remembers which answers were lost",
        frozenset({"pressed again"}),
        Weather(games=("tivmiv",), tables=1, thinking=2.0, latency=0.3, tail=0.05),
        (4, 6, 1),
        0.4,
        (replaced(OwnActs, "unconfirmed", lambda _self, _seat: frozenset()),),
    ),
    Fault(
        "X1a",
        "after an answer the match is not looked at again",
        _HANDS,
        Weather(
            games=("champions",),
            tables=6,
            thinking=1.0,
            latency=0.5,
            tail=0.1,
            tail_factor=4.0,
            pauses=0.1,
            pause_seconds=60.0,
        ),
        (4, 17, 3),
        0.3,
        (replaced(OpenHands, "_settle", _settle_without_looking),),
    ),
    Fault(
        "X3",
        "a hand is forgotten when an edit of it is refused for any reason",
        _HANDS,
        Weather(games=("champions",), tables=3, thinking=8.0),
        (1, 2, 3),
        0.4,
        (replaced(open_hands, "is_gone", lambda error: 0 < error.status < 500),),
        (
            replaced(world.ChanceFaults, "strike", _strike_hands),
            replaced(world.ChanceFaults, "watch_requests", True),
        ),
    ),
    Fault(
        "X4",
        "an answer whose connection was cut is not tried again",
        frozenset({"fresh is answered"}),
        Weather(games=("champions",), tables=1, thinking=0.7, latency=0.2, cuts=1500.0),
        (2, 1),
        0.2,
        (replaced(responses, "_TRIES", 1),),
    ),
    Fault(
        "X5",
        "one id from the future makes all presses late",
        frozenset({"fresh is answered"}),
        Weather(games=("champions",), tables=1, thinking=2.0),
        (1,),
        0.2,
        (replaced(InteractionAge, "age", _age),),
        (replaced(Snowflakes, "next", _next_from_the_future),),
        slow=True,
    ),
    Fault(
        "two board writers",
        "a board is edited by two tasks",
        frozenset({"boards are true"}),
        Weather(
            games=("champions",),
            tables=6,
            thinking=1.0,
            latency=0.4,
            tail=0.3,
            tail_factor=8.0,
            pauses=0.3,
            pause_seconds=60.0,
        ),
        (2, 3, 4, 5, 6, 7),
        0.2,
        (replaced(BoardUpdater, "match_changed", _two_tasks),),
    ),
)
