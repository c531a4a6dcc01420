"""Standings in memory."""

from __future__ import annotations

from bot.store.memory.data import Data
from bot.store.memory.transactions import Transactions, reads
from bot.store.rows import Result, Series, Standing


class MemoryStandings(Transactions):
    """`bot.store.protocols.standings.StandingStore` in memory."""

    @reads
    def leaderboard(self, data: Data, guild_id: int, game: str, offset: int, limit: int) -> list[Standing]:
        return _ranking(data, guild_id, game)[offset : offset + limit]

    @reads
    def standing(self, data: Data, guild_id: int, game: str, user_id: int) -> Standing | None:
        found = [standing for standing in _ranking(data, guild_id, game) if standing.user_id == user_id]
        return found[0] if found else None

    @reads
    def count_listed_above(self, data: Data, guild_id: int, game: str, user_id: int) -> int | None:
        listed = [standing.user_id for standing in _ranking(data, guild_id, game)]
        return listed.index(user_id) if user_id in listed else None

    @reads
    def count_ranked(self, data: Data, guild_id: int, game: str) -> int:
        return len(_ranking(data, guild_id, game))

    @reads
    def games_played(self, data: Data, guild_id: int) -> list[str]:
        return sorted({game for guild, game, _ in data.standings if guild == guild_id})

    @reads
    def counted_results(self, data: Data, guild_id: int, game: str) -> list[tuple[tuple[int, ...], Result]]:
        ended = [(data.matches[result.match_id], result) for result in data.results.values() if result.counted]
        return [(match.seats, result) for match, result in ended if (match.guild_id, match.game) == (guild_id, game)]

    @reads
    def series(self, data: Data, guild_id: int, game: str, players: tuple[int, int], last: str | None = None) -> Series:
        return series_of(data, guild_id, game, players, last)


def series_of(data: Data, guild_id: int, game: str, players: tuple[int, int], last: str | None = None) -> Series:
    """What two players won of the counted matches between them, up to one match or (None) of all so far."""
    first, second = players
    wins, draws = [0, 0], 0
    for result in data.results.values():
        match = data.matches[result.match_id]
        theirs = (match.guild_id, match.game, set(match.seats)) == (guild_id, game, {first, second})
        if theirs and result.counted:
            winners = [user for user, rank in zip(match.seats, result.ranks, strict=True) if rank == 1]
            draws += len(winners) > 1
            wins = [won + (winners == [user]) for won, user in zip(wins, players, strict=True)]
        if result.match_id == last:
            break
    return Series((wins[0], wins[1]), draws)


def _ranking(data: Data, guild_id: int, game: str) -> list[Standing]:
    """All standings of a server in one game, the highest ordinal first, then by user id."""
    scores = {
        user: score for (guild, played, user), score in data.standings.items() if (guild, played) == (guild_id, game)
    }
    ordinals = [score.rating.ordinal for score in scores.values()]
    standings = [
        Standing(
            1 + sum(other > score.rating.ordinal for other in ordinals),
            user_id,
            score.rating,
            score.wins,
            score.losses,
            score.draws,
        )
        for user_id, score in scores.items()
    ]
    return sorted(standings, key=lambda standing: (standing.rank, standing.user_id))
