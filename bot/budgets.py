"""What one person, one channel and one server may use, beside the operator's settings (`bot.settings`).

`make reference` writes docs/limits.md of both. Times are in seconds.
"""

from __future__ import annotations

from typing import Final

CHANNEL_SHARES: Final = 3
"""Nobody has more of a channel's matches than their number divided by this."""

MOST_ASKED: Final = 25
"""How many people may be invited to one private table. Its message names them all."""

MOST_RESERVED: Final = 32
"""How many matches of a server may be in play at once that begin by themselves, such as those of tournaments. They
have this room beside the limits of channels and servers, so they take none from other matches."""

MOST_CORRECTIONS: Final = 10
"""How many times one result of a tournament may be corrected."""

MOST_LEAGUES: Final = 5
"""How many leagues a server may have at once that haven't ended. Up to 64 people are in each."""

QUIET_AFTER: Final = 120
"""Seconds without a press at a table after which somebody may not be there any more: *Start* asks *Ready?* first, and a
match that began later without them is not held against them."""

POSTS_COUNT_FOR: Final = 60
"""Seconds for which a post counts among those of its person."""

SAME_POST_AFTER: Final = 3600
"""Seconds until the same replay, picture or profile may be posted again in a channel."""

FILES_WAITING: Final = 20
"""People who may wait at once for a file or a verdict; each waits for one."""

TABLE_NEWS_AFTER: Final = 20
"""Seconds that a table is open before people get a notice of it."""

TABLE_NEWS_FOR: Final = 900
"""Seconds after it opened in which people get a notice of a table. Each person gets one an hour."""

TABLE_CLOSED_SOON: Final = 120
"""A table that closes within these seconds without a match gives everybody their hour back, and nobody gets a notice
of its host's tables for an hour."""

MOST_BLOCKS: Final = 100
"""People whom one person may block."""
