"""Which events may have been replayed."""

from __future__ import annotations

from bot.gateway.connectivity import Replays


def server_of(shard: int, shards: int) -> int:
    """The id of a server that belongs to a shard."""
    return (7 * shards + shard) << 22


def test_events_are_replayed_from_the_loss_of_the_connection_to_resumed() -> None:
    replays = Replays()
    server = server_of(0, 1)
    assert not replays.include(server, 1)
    replays.connection_lost(0)
    replays.connection_lost(0)
    assert replays.include(server, 1)
    assert replays.include(None, 1)
    replays.caught_up(0)
    assert not replays.include(server, 1)


def test_a_shard_that_lost_its_connection_says_nothing_of_the_others() -> None:
    replays = Replays()
    replays.connection_lost(1)
    assert [replays.include(server_of(shard, 3), 3) for shard in range(3)] == [False, True, False]
    assert not replays.include(None, 3)
    replays.caught_up(0)
    assert replays.include(server_of(1, 3), 3)
