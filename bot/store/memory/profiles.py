"""Profiles in memory, worked out from the results each time."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate

from bot.ratings import Rating
from bot.store.memory.data import Data
from bot.store.memory.transactions import Transactions, reads, writes
from bot.store.rows.matches import MatchRow, Result
from bot.store.rows.profiles import ComebackSearch, Opponent, PlayerRecord


class MemoryProfiles(Transactions):
    """`bot.store.protocols.profiles.ProfileStore` in memory."""

    @reads
    def player_record(self, data: Data, guild_id: int, user_id: int) -> PlayerRecord:
        won = [_won(match, result, user_id) for match, result in _counted(data, guild_id, user_id)]
        streaks = list(accumulate(won, lambda streak, win: streak + 1 if win else 0, initial=0))
        return PlayerRecord(len(won), streaks[-1], max(streaks))

    @reads
    def most_met(self, data: Data, guild_id: int, user_id: int, most: int) -> list[Opponent]:
        met = _opponents(data, guild_id, user_id)
        return sorted(met, key=lambda each: -each.matches)[:most]

    @reads
    def opponent(self, data: Data, guild_id: int, user_id: int, opponent_id: int) -> Opponent | None:
        return next((each for each in _opponents(data, guild_id, user_id) if each.user_id == opponent_id), None)

    @reads
    def met_at(self, data: Data, guild_id: int, user_id: int, nth: int) -> int | None:
        met: set[int] = set()
        for match, result in _counted(data, guild_id, user_id):
            met.update(match.seats)
            if len(met - {user_id}) >= nth:
                return result.ended_at
        return None

    @reads
    def rating_history(self, data: Data, guild_id: int, user_id: int, game: str, most: int) -> list[Rating]:
        played = [match for match, _ in _counted(data, guild_id, user_id) if match.game == game]
        return [data.rating_changes[match.id][match.seats.index(user_id)].after for match in played][-most:]

    @reads
    def wins_after(self, data: Data, guild_id: int, user_id: int, number: int, most: int) -> list[tuple[int, str]]:
        numbers = {match_id: place for place, match_id in enumerate(data.results, 1)}
        won = [match for match, result in _counted(data, guild_id, user_id) if _won(match, result, user_id)]
        return [(numbers[match.id], match.id) for match in won if numbers[match.id] > number][:most]

    @reads
    def comeback_search(self, data: Data, guild_id: int, user_id: int) -> ComebackSearch:
        return data.comeback_searches.get((guild_id, user_id), ComebackSearch())

    @writes
    def note_comeback_search(self, data: Data, guild_id: int, user_id: int, search: ComebackSearch) -> None:
        numbers = {match_id: place for place, match_id in enumerate(data.results, 1)}
        if search.searched in [numbers[match.id] for match, _ in _counted(data, guild_id, user_id)]:
            data.comeback_searches[guild_id, user_id] = search


def _counted(data: Data, guild_id: int, user_id: int) -> Iterator[tuple[MatchRow, Result]]:
    """The counted results of somebody in a server, in the order in which they counted."""
    for result in data.results.values():
        match = data.matches[result.match_id]
        if result.counted and match.guild_id == guild_id and user_id in match.seats:
            yield match, result


def _won(match: MatchRow, result: Result, user_id: int) -> bool:
    return result.ranks[match.seats.index(user_id)] == 1 and len(set(result.ranks)) > 1


def _opponents(data: Data, guild_id: int, user_id: int) -> list[Opponent]:
    """All opponents of somebody, first those whom they met first; of those of one match, by id."""
    met: dict[int, Opponent] = {}
    for match, result in _counted(data, guild_id, user_id):
        ranks = dict(zip(match.seats, result.ranks, strict=True))
        alone = len(ranks) == 2
        for other in sorted(ranks.keys() - {user_id}):
            mine, theirs, before = ranks[user_id], ranks[other], met.get(other, Opponent(other))
            met[other] = Opponent(
                other,
                before.matches + 1,
                before.wins + (alone and mine < theirs),
                before.losses + (alone and mine > theirs),
                before.draws + (alone and mine == theirs),
            )
    return list(met.values())
