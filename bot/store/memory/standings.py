"""Standings in memory."""

from __future__ import annotations

from bot.store.memory.data import Data
from bot.store.memory.transactions import Transactions, reads
from bot.store.rows.matches import Result
from bot.store.rows.standings import FormerStanding, HeadToHead, HeldRating, RatingChange, RatingStart, Standing


class MemoryStandings(Transactions):
    """`bot.store.protocols.standings.StandingStore` in memory."""

    @reads
    def leaderboard(self, data: Data, guild_id: int, game: str, offset: int, limit: int) -> list[Standing]:
        return _listed(data, guild_id, game)[offset : offset + limit]

    @reads
    def standing(self, data: Data, guild_id: int, game: str, user_id: int) -> Standing | None:
        found = [standing for standing in _ranking(data, guild_id, game) if standing.user_id == user_id]
        return found[0] if found else None

    @reads
    def count_ranked(self, data: Data, guild_id: int, game: str) -> int:
        return len(
            {
                user
                for guild, of, user in data.standings
                if (guild, of) == (guild_id, game) and user > 0 and (guild, user) not in data.hidden_on_boards
            }
        )

    @reads
    def games_played(self, data: Data, guild_id: int) -> list[str]:
        return sorted({game for guild, game, _ in data.standings if guild == guild_id})

    @reads
    def counted_results(self, data: Data, guild_id: int, game: str) -> list[tuple[tuple[int, ...], Result]]:
        return counted_results_of(data, guild_id, game)

    @reads
    def head_to_head(
        self, data: Data, guild_id: int, game: str | None, players: tuple[int, int], last: str | None = None
    ) -> HeadToHead:
        return head_to_head_of(data, guild_id, game, players, last)

    @reads
    def rating_changes(self, data: Data, match_id: str) -> tuple[RatingChange, ...]:
        return data.rating_changes.get(match_id, ())

    @reads
    def held_ratings(self, data: Data, guild_id: int, user_id: int) -> list[HeldRating]:
        here = [held for key, held in data.held_ratings.items() if key[:2] == (guild_id, user_id)]
        return sorted(here, key=lambda held: held.start.game)

    @reads
    def rating_starts(self, data: Data, guild_id: int, user_id: int) -> list[RatingStart]:
        here = [start for (guild, _, user), start in data.rating_starts.items() if (guild, user) == (guild_id, user_id)]
        return sorted(here, key=lambda start: start.game)

    @reads
    def former_standings(self, _data: Data, guild_id: int, user_id: int) -> list[FormerStanding]:  # noqa: ARG002  the protocol's
        return []  # these data were never upgraded


def counted_results_of(data: Data, guild_id: int, game: str) -> list[tuple[tuple[int, ...], Result]]:
    """Seats and result of every counted match of a server and game, in their order."""
    ended = [(data.matches[result.match_id], result) for result in data.results.values() if result.counted]
    return [(match.seats, result) for match, result in ended if (match.guild_id, match.game) == (guild_id, game)]


def head_to_head_of(
    data: Data, guild_id: int, game: str | None, players: tuple[int, int], last: str | None = None
) -> HeadToHead:
    """What two players won of the counted matches between them, in one game or (None) all, up to one match or (None) of
    all so far."""
    first, second = players
    wins, draws = [0, 0], 0
    for result in data.results.values():
        match = data.matches[result.match_id]
        theirs = (match.guild_id, set(match.seats)) == (guild_id, {first, second}) and game in (None, match.game)
        if theirs and result.counted:
            winners = [user for user, rank in zip(match.seats, result.ranks, strict=True) if rank == 1]
            draws += len(winners) > 1
            wins = [won + (winners == [user]) for won, user in zip(wins, players, strict=True)]
        if result.match_id == last:
            break
    return HeadToHead((wins[0], wins[1]), draws)


def _listed(data: Data, guild_id: int, game: str) -> list[Standing]:
    """The standings of a server in one game, without those of people who were deleted."""
    return [standing for standing in _ranking(data, guild_id, game) if standing.user_id > 0]


def _ranking(data: Data, guild_id: int, game: str) -> list[Standing]:
    """All standings of a server in one game, the highest ordinal first, then by user id."""
    scores = {
        user: score for (guild, played, user), score in data.standings.items() if (guild, played) == (guild_id, game)
    }
    ordinals = [score.rating.ordinal for user, score in scores.items() if user > 0]
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
