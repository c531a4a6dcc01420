"""Faults in who holds which shards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from bot.cluster.ownership import Ownership
from bot.gateway.connectivity import ConnectionGuard
from bot.play.match_registry import MatchRegistry
from bot.store.queries.matches import MatchRow, Record, TimerRow
from bot.store.store import Store
from tests.simulation.planted.fault import Fault, replaced
from tests.simulation.weather_fields import Weather

_TWO_AND_A_SPARE: Final = Weather(
    games=("haymaker", "champions"),
    servers=2,
    tables=1,
    thinking=4.0,
    processes=3,
    standstills=60.0,
    standstill_seconds=60.0,
)

_TWO_WITHOUT_A_DATABASE: Final = Weather(
    games=("haymaker",),
    clocks=("blitz",),
    servers=2,
    tables=2,
    thinking=5.0,
    absent=0.5,
    processes=2,
    database_cuts=60.0,
    database_cut_seconds=60.0,
)

_TWO_THAT_DIE: Final = Weather(
    games=("haymaker",),
    servers=2,
    tables=2,
    thinking=5.0,
    processes=3,
    kills=60.0,
    kills_in_a_row=1,
)

_restore = MatchRegistry.restore


def _restore_less(
    self: MatchRegistry, row: MatchRow, records: Sequence[Record], timers: Sequence[TimerRow], **more: Any
) -> Any:
    return _restore(self, row, records[: max(1, len(records) - 1)], timers, **more)


OWNING: Final = (
    Fault(
        "not fenced",
        "the data take what a process writes that was replaced while it stood still",
        frozenset({"only owners write"}),
        _TWO_AND_A_SPARE,
        (30, 1, 2, 3),
        0.3,
        (replaced(Store, "_check", lambda *_: None),),
    ),
    Fault(
        "its own clock ignored",
        "a process that cannot renew its lease goes on until it hears that it was replaced",
        frozenset({"one owner a shard"}),
        _TWO_AND_A_SPARE,
        (11, 1, 2, 3),
        0.3,
        (replaced(Ownership, "is_current", lambda self: not self.lost.is_set()),),
    ),
    Fault(
        "silence not credited",
        "clocks run while a process answers nobody, because another one may have its shards",
        frozenset({"clocks are fair"}),
        _TWO_WITHOUT_A_DATABASE,
        (1, 2, 3),
        0.5,
        (replaced(ConnectionGuard, "fall_silent", lambda _self: None),),
    ),
    Fault(
        "last act lost",
        "whoever takes the shards of a process that died leaves out the last act of each match",
        frozenset({"no errors of the program"}),
        _TWO_THAT_DIE,
        (1, 2, 3),
        0.3,
        (replaced(MatchRegistry, "restore", _restore_less),),
    ),
)
