"""Standings in memory."""

from __future__ import annotations

from bot.store.memory.data import Data
from bot.store.memory.transactions import Transactions, reads
from bot.store.rows.standings import FormerStanding, HeadToHead, HeldRating, RatingChange, RatingStart, Standing


class MemoryStandings(Transactions):
    """`bot.store.protocols.standings.StandingStore` in memory."""

    @reads
    def standing(self, data: Data, guild_id: int, game: str, user_id: int) -> Standing | None:
        score = data.standings.get((guild_id, game, user_id))
        if score is None:
            return None
        ordinals = [
            other.rating.ordinal
            for (guild, of, user), other in data.standings.items()
            if (guild, of) == (guild_id, game) and user > 0
        ]
        rank = 1 + sum(other > score.rating.ordinal for other in ordinals)
        return Standing(rank, user_id, score.rating, score.wins, score.losses, score.draws)

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
