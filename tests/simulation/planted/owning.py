"""Faults in who holds which shards."""

from __future__ import annotations

from typing import Final

from bot.cluster.ownership import Ownership
from bot.gateway.connectivity import ConnectionGuard
from bot.store.sql.servers import SqlClusters
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

OWNING: Final = (
    Fault(
        "not fenced",
        "the data take what a process writes that was replaced while it stood still",
        frozenset({"only owners write"}),
        _TWO_AND_A_SPARE,
        (1, 2, 3),
        0.3,
        (replaced(SqlClusters, "_check", lambda *_: None),),
    ),
    Fault(
        "its own clock ignored",
        "a process that cannot renew its lease goes on until it hears that it was replaced",
        frozenset({"one owner a shard"}),
        _TWO_AND_A_SPARE,
        (1, 2, 3),
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
)
