"""The limits of time and place a test may change."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class Limits:
    """Seconds of the sandbox's time, and counts. Source: Discord's developer documentation.

    `heartbeat_interval` and `goodbye` are real seconds: what a client does on its own clock.
    """

    first_response: float = 3.0
    token_life: float = 15 * 60.0
    heartbeat_interval: float = 41.25
    heartbeat_patience: float = 1.5  # intervals without a heartbeat until a connection counts as dead [practice]
    goodbye: float = 5.0  # from op 7 until a client that stays is cut off [practice]
    identifies_a_day: int = 1000
    identify_pause: float = 5.0  # between two identifies of one concurrency key, where limits are enforced
    shards: int = 1  # what /gateway/bot advises at least
    shards_multiple: int = 1  # of which a client's number of shards is a multiple, as Discord asks of very large bots
    servers_a_shard: int = 2_500
    max_concurrency: int = 1
    sends_a_minute: int = 120  # by a client, on one gateway connection
    members_a_chunk: int = 1_000
    whole_list_pause: float = 30.0  # between two requests for all members of a server, where limits are enforced
    resume_window: float = 180.0  # how long a cut session waits to be resumed [practice]
    replayable_events: int = 5_000
    requests_a_second: int = 50
    invalid_requests: int = 10_000
    invalid_window: float = 600.0
    ban: float = 3600.0  # how long an address stays banned [practice]
