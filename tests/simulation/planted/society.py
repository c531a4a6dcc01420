"""Faults in what keeps hostile people from spoiling a server for others: the limits as they were before."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from typing import Any, Final

from bot.play.limits import Limits
from bot.play.live_match import LiveMatch
from bot.play.refusals import Refused
from cogs.interactions.post_budget import PostBudget
from tests.simulation.planted.fault import Fault, replaced
from tests.simulation.weather_fields import Weather

_SERVED: Final = frozenset({"honest are served"})
_CHANNEL: Final = Weather(games=("haymaker",), tables=0, hostiles=5, hostile_pace=3.0)
_CROWD: Final = Weather(games=("haymaker",), tables=0, hostiles=20, hostile_pace=5.0)
"""Hostile people have so much else to do that five of them fill no channel in hours."""


def _count_all(limits: Limits, playing: Collection[LiveMatch], channel_id: int | None, seated: Collection[int]) -> None:
    """Refuse a match where there are as many as there may be, whoever has them and whatever they are."""
    if sum(match.channel_id == channel_id for match in playing) >= limits.settings.max_matches_per_channel:
        raise Refused("limit.channel_matches", limit=limits.settings.max_matches_per_channel)


@contextmanager
def _without_end(_budget: PostBudget, _interaction: Any, _what: Any = None) -> Iterator[Callable[[], None]]:
    """Let anybody have anything posted."""
    yield lambda: None


SOCIETY: Final = (
    Fault(
        "N1",
        "one person's matches, practice too, close a channel to others",
        _SERVED,
        _CROWD,
        (1, 2),
        3.0,
        (replaced(Limits, "check_room", _count_all), replaced(Limits, "check_alone", lambda *_: None)),
    ),
    Fault(
        "N4",
        "one person may have anything posted without end",
        frozenset({"posts in budget"}),
        _CHANNEL,
        (1, 2),
        0.05,
        (replaced(PostBudget, "spending", _without_end),),
    ),
)
