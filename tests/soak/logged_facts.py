"""The facts of live matches, as a listener needs them that cannot wait: read from the bot's database."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path

from bot.play.live_match import LiveMatch
from bot.play.match_state import codec
from engines.game import Event


class LoggedFacts:
    """Reads the logs of matches by a connection of its own."""

    def __init__(self, database: Path) -> None:
        self._db = sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True)
        self._read: dict[str, tuple[int, list[Event]]] = {}

    def close(self) -> None:
        """Close the connection."""
        self._db.close()

    def of(self, match: LiveMatch) -> Sequence[Event]:
        """All facts of a match so far, oldest first."""
        records, facts = self._read.get(match.id, (0, []))
        added = self._db.execute(
            "SELECT events FROM records WHERE match_id = ? AND seq >= ? ORDER BY seq", (match.id, records)
        ).fetchall()
        for (events,) in added:
            facts += codec(match.game.info.key).decode_all(events)
        self._read[match.id] = records + len(added), facts
        return facts
