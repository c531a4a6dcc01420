"""Jobs that one process does for the whole bot, such as announcing its commands."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from bot.store.protocols.clusters import ClusterStore

JOB_SECONDS: Final = 600.0
"""How long a job stays with a process that doesn't ask for it again, and holds its shards."""


class Job(StrEnum):
    """What the jobs are called in the data."""

    COMMANDS = "commands"
    """Announce the slash commands to Discord."""
    EMOJIS = "emojis"
    """Upload and remove the application's emojis of cards."""


class Jobs:
    """Which jobs fall to this process: each to the process that asks first."""

    def __init__(self, store: ClusterStore) -> None:
        self._store = store

    async def take(self, job: Job) -> bool:
        """Whether this process does a job now. It may ask again, to keep it. Raises StoreError."""
        return await self._store.take_job(job.value, round(JOB_SECONDS * 1000))
