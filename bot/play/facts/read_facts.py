"""The whole logs of the matches that computers play.

A computer's question has all that its seat has seen, and a live match doesn't keep its log. So the first question reads
it from the store, and each later one only what was added since, as long as the match is among those asked about last.
"""

from __future__ import annotations

from typing import Final

from bot.kept import Kept
from bot.play.live_match import LiveMatch
from engines.game import Event

REMEMBERED: Final = 64
"""Of how many matches the facts are kept. A long log takes some 200 KiB."""


class ReadFacts:
    """The facts of the matches that somebody asked about last."""

    def __init__(self) -> None:
        self._known: Kept[str, list[tuple[Event, ...]]] = Kept("logs that computers read", REMEMBERED)

    def __len__(self) -> int:
        return len(self._known)

    async def up_to(self, match: LiveMatch, acts: int) -> tuple[Event, ...]:
        """All facts of a match up to a number of acts, oldest first.

        Raises StoreError, and CodecError for a log that cannot be read.
        """
        known = self._known.setdefault(match.id, [])
        self._known.touch((match.id,))
        if len(known) <= acts:
            first = len(known)
            read = await match.read_acts(first)
            known += read[len(known) - first :]  # another may have read some of them meanwhile
        return tuple([fact for facts in known[: acts + 1] for fact in facts])

    def forget(self, match_id: str) -> None:
        """Forget a match that is over."""
        self._known.pop(match_id, None)

    def forget_all(self) -> None:
        """Forget all matches, because some were deleted."""
        self._known.clear()
