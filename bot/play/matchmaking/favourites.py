"""Which game the people of a server play most."""

from __future__ import annotations

from bot.games import GAMES
from bot.store.store import Store


async def favourite(store: Store, guild_id: int) -> str:
    """The game with the most people on its leaderboard in a server, or the first game. Raises StoreError."""
    played = await store.games_played(guild_id)
    sizes = {game: await store.count_ranked(guild_id, game) for game in played if game in GAMES}
    return max(sizes, key=lambda game: sizes[game]) if sizes else next(iter(GAMES))
