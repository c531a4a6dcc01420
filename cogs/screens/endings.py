"""How a match ended, in a sentence."""

from __future__ import annotations

from bot.play.live_match import LiveMatch
from cogs.screens.presenter import Reader

COMMON = frozenset({"resignation", "time", "called_off", "lapsed", "lost_place", "abandoned"})
"""Endings that every game has. All others belong to one game and contain its key."""


LEFT = frozenset({"resignation", "time"})
"""Endings in which somebody has left."""


def ending(match: LiveMatch, reader: Reader) -> str:
    """The result as a sentence. Raises RuntimeError for a match that is not over."""
    if match.result is None:
        raise RuntimeError("a match that is being played has no ending")
    kind = match.result.kind
    if kind == "time" and len(set(match.result.ranks)) == 1:
        return reader.words("ending.time_both")
    key = f"ending.{kind}" if kind in COMMON else f"{match.game.info.key}.ending.{kind}"
    if kind in LEFT and len(match.seats) > 2:
        key = "ending.last_left"  # the others may have left in different ways
    winners = [reader.names[seat] for seat, rank in enumerate(match.result.ranks) if rank == 1]
    losers = [reader.names[seat] for seat, rank in enumerate(match.result.ranks) if rank != 1]
    return reader.words(key, winner=" · ".join(winners), loser=" · ".join(losers))


def counts(match: LiveMatch, reader: Reader) -> str:
    """The sentence that a result does not count in the leaderboard, and why; empty if it does."""
    if match.result is None or match.result.counted:
        return ""
    if match.unrated is not None:
        return reader.words(f"ending.unrated.{match.unrated.why}", player=reader.names[match.unrated.seat])
    return reader.words("ending.uncounted")
