"""Works out again what the result of a finished match did: nothing beside the standings keeps it.

The store says what a result did when it saves it. This is for a board that is shown again after a restart.
"""

from __future__ import annotations

import asyncio

from bot.play.match_state import MatchState
from bot.store.protocols.standings import StandingStore
from bot.store.rows import ResultEffects
from bot.store.scoring import changes_by


async def effects_of(store: StandingStore, match: MatchState) -> ResultEffects | None:
    """What a match's counted result did to the ratings, and what two players had won by then; None for any other match.

    It reads all results of the match's server and game up to it, so don't ask for each of many. Raises StoreError.
    """
    if match.result is None or not match.result.counted:
        return None
    guild_id, game = match.guild_id, match.game.info.key
    results = await store.counted_results(guild_id, game)
    ratings = await asyncio.to_thread(changes_by, match.id, results)  # many would block the event loop
    if not ratings:
        return None
    pair = (match.seats[0], match.seats[-1])
    series = await store.series(guild_id, game, pair, match.id) if len(match.seats) == 2 else None
    return ResultEffects(ratings, series)
