"""Reads again what the result of a finished match did.

The store says what a result did when it saves it. This is for a board that is shown again after a restart.
"""

from __future__ import annotations

from bot.play.match_state import MatchState
from bot.store.protocols.standings import StandingStore
from bot.store.rows.standings import ResultEffects


async def effects_of(store: StandingStore, match: MatchState) -> ResultEffects | None:
    """What a match's counted result did to the ratings, and what two players had won by then; None for any other match.

    Raises StoreError.
    """
    if match.result is None or not match.result.counted:
        return None
    guild_id, game = match.guild_id, match.game.info.key
    ratings = await store.rating_changes(match.id)
    if not ratings:
        return None
    pair = (match.seats[0], match.seats[-1])
    head_to_head = await store.head_to_head(guild_id, game, pair, match.id) if len(match.seats) == 2 else None
    return ResultEffects(ratings, head_to_head)
