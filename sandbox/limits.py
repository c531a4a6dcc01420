"""The limits of time and place a test may change."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class Limits:
    """Seconds of the sandbox's time, and counts. Source: Discord's developer documentation."""

    first_response: float = 3.0
    token_life: float = 15 * 60.0
    heartbeat_interval: float = 41.25
    identifies_a_day: int = 1000
    shards: int = 1  # what /gateway/bot advises
    max_concurrency: int = 1
    resume_window: float = 180.0  # how long a cut session waits to be resumed [practice]
    replayable_events: int = 5_000
