"""Works out again how people attended finished matches, from the logs, and corrects what is kept. Only while the bot is
stopped."""

from __future__ import annotations

from pathlib import Path

from bot.store.queries import attendances
from bot.store.queries.attendances import Attend
from bot.store.sqlite.recounts.alone import alone


def rebuild_attendances(database: Path, attend: Attend) -> int:
    """Replace, in one transaction, the attendances that differ from the recalculated ones. Returns of how many matches.

    Those of a match that cannot be worked out stay. Raises what `alone` raises.
    """
    with alone(database) as connection:
        return attendances.rebuild(connection, attend)
