"""Matches in memory, and what belongs to them."""

# ruff: noqa: A002  an id is called id, here as in the rows

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import islice

from bot.store import log_chain
from bot.store.boards import DayKey, day_of, tallies
from bot.store.errors import Conflict, DuplicateInteraction, InvitationClosed
from bot.store.memory.boards import add_to_days
from bot.store.memory.data import Data, SavedSelection
from bot.store.memory.invitations import close
from bot.store.memory.standings import head_to_head_of
from bot.store.memory.transactions import Transactions, reads, writes
from bot.store.protocols.matches import NO_LOST_PLACES
from bot.store.rows.invitations import InvitationState
from bot.store.rows.matches import LostPlaces, MatchRow, Record, Result, SavedMatch, Suspension, TimerRow, Unrated
from bot.store.rows.screens import Notice
from bot.store.rows.standings import ResultEffects
from bot.store.scoring import Ledger, Player, Score


class MemoryMatches(Transactions):
    """`bot.store.protocols.matches.MatchStore` in memory."""

    # -- writing a match and its log

    @writes
    def open_match(self, data: Data, match: MatchRow, deal: Record, timers: Sequence[TimerRow]) -> None:
        begin_match(data, match, deal, timers, self._now())

    @writes
    def append(
        self,
        data: Data,
        record: Record,
        timers: Sequence[TimerRow],
        result: Result | None = None,
        unrated: Unrated | None = None,
    ) -> ResultEffects | None:
        _apply_interaction(data, record.match_id, record.interaction_id)
        _refuse_unless_live(data, record.match_id)
        log = data.logs[record.match_id]
        if record.seq != log[-1].seq + 1:
            raise Conflict("another record is next")
        data.logs[record.match_id] = (*log, replace(record, chain=log_chain.link_of(log[-1].chain, record)))
        data.timers[record.match_id] = tuple(timers)
        match = data.matches[record.match_id]
        data.matches[match.id] = replace(match, unrated=match.unrated or unrated)
        return None if result is None else _finish(data, result)

    @writes
    def end_match(self, data: Data, result: Result, interaction_id: int | None) -> None:
        _apply_interaction(data, result.match_id, interaction_id)
        _refuse_unless_live(data, result.match_id)
        _finish(data, result)

    @reads
    def match_of_interaction(self, data: Data, interaction_id: int) -> str | None:
        return data.interactions.get(interaction_id)

    # -- reading

    @reads
    def match(self, data: Data, id: str) -> MatchRow | None:
        return data.matches.get(id)

    @reads
    def live_matches(self, data: Data) -> list[MatchRow]:
        return _by_age(
            row for row in data.matches.values() if data.is_live(row.id) and self.serves.includes(row.guild_id)
        )

    @reads
    def live_matches_of(self, data: Data, user_id: int) -> list[MatchRow]:
        return _by_age(row for row in data.matches.values() if data.is_live(row.id) and user_id in row.seats)

    @reads
    def matches_ended_since(self, data: Data, moment: int) -> list[MatchRow]:
        ended = (data.matches[result.match_id] for result in data.results.values() if result.ended_at >= moment)
        return _by_age(row for row in ended if self.serves.includes(row.guild_id))

    @reads
    def matches_of(self, data: Data, guild_id: int, user_id: int) -> list[MatchRow]:
        return matches_with(data, guild_id, user_id)

    @reads
    def matches_of_deal(self, data: Data, guild_id: int, deal_id: str) -> list[MatchRow]:
        found = (row for row in data.matches.values() if (row.guild_id, row.deal_id) == (guild_id, deal_id))
        return _by_age(found) if deal_id else []

    @reads
    def latest_finished(
        self, data: Data, guild_id: int, user_id: int, most: int, channel_id: int | None = None
    ) -> list[MatchRow]:
        ended = (data.matches[match_id] for match_id in reversed(data.results))
        theirs = (row for row in ended if row.guild_id == guild_id and user_id in row.seats)
        return list(islice((row for row in theirs if channel_id in (None, row.channel_id)), most))

    @reads
    def result(self, data: Data, id: str) -> Result | None:
        return data.results.get(id)

    @reads
    def records(self, data: Data, match_id: str, first: int = 0) -> list[Record]:
        return list(data.logs.get(match_id, ()))[first:]

    @reads
    def match_of_series(self, data: Data, series_id: str, number: int) -> str | None:
        return _of_series(data, series_id, number)

    @reads
    def saved_matches(self, data: Data, match_ids: Sequence[str]) -> dict[str, SavedMatch]:
        return {
            match_id: SavedMatch(
                tuple(data.logs.get(match_id, ())),
                tuple(_by_deadline(data.timers.get(match_id, ()))),
                data.board_marks.get(match_id),
            )
            for match_id in match_ids
        }

    # -- timers

    @writes
    def set_timers(self, data: Data, match_id: str, timers: Sequence[TimerRow]) -> None:
        _refuse_unless_live(data, match_id)
        data.timers[match_id] = tuple(timers)

    @reads
    def timers(self, data: Data, match_id: str) -> list[TimerRow]:
        return _by_deadline(data.timers.get(match_id, ()))

    @reads
    def all_timers(self, data: Data) -> list[TimerRow]:
        return _by_deadline(
            timer
            for match_id, timers in data.timers.items()
            for timer in timers
            if self.serves.includes(data.matches[match_id].guild_id)
        )

    # -- the state of a match

    @writes
    def set_board(self, data: Data, match_id: str, channel_id: int, message_id: int | None, at: int | None) -> None:
        if match_id in data.matches:
            match = data.matches[match_id]
            data.matches[match_id] = replace(match, channel_id=channel_id, board_id=message_id, board_at=at)
            data.board_marks.pop(match_id, None)

    @writes
    def set_paused(self, data: Data, match_id: str, error: int | None) -> None:
        if match_id in data.matches:
            data.matches[match_id] = replace(data.matches[match_id], paused=error)

    @writes
    def agree_to_call_off(self, data: Data, match_id: str, seat: int) -> None:
        match = data.matches.get(match_id)
        if match is not None and seat in range(len(match.seats)):
            data.matches[match_id] = replace(match, agreed=tuple(sorted({*match.agreed, seat})))

    @writes
    def suspend_match(
        self, data: Data, match_id: str, at: int, why: Suspension, lost: LostPlaces = NO_LOST_PLACES
    ) -> None:
        _refuse_unless_live(data, match_id)
        match = data.matches[match_id]
        since = at if match.suspended_at is None else match.suspended_at
        if match.suspended_at is None:
            data.suspended_observed[match_id] = data.observed
        data.matches[match_id] = replace(match, suspended_at=since, suspended_why=why, lost_places=lost)
        data.timers[match_id] = ()

    @writes
    def resume_match(self, data: Data, match_id: str, channel_id: int, timers: Sequence[TimerRow]) -> None:
        _refuse_unless_live(data, match_id)
        match = data.matches[match_id]
        if match.suspended_at is None:
            raise Conflict("the match is not suspended")
        data.matches[match_id] = replace(
            match, channel_id=channel_id, board_id=None, board_at=None, suspended_at=None, suspended_why=None
        )
        data.timers[match_id] = tuple(timers)
        data.board_marks.pop(match_id, None)

    # -- what belongs to its players

    @writes
    def add_notice(self, data: Data, notice: Notice) -> None:
        if notice.match_id not in data.matches:
            raise Conflict("there is no such match")
        data.notices[notice.match_id, notice.seat] = notice

    @writes
    def mark_notice(self, data: Data, notice: Notice) -> None:
        key = (notice.match_id, notice.seat)
        kept = data.notices.get(key)
        if kept is not None and kept.message_id == notice.message_id:
            data.notices[key] = replace(kept, mark=notice.mark)

    @writes
    def remove_notice(self, data: Data, match_id: str, seat: int) -> None:
        data.notices.pop((match_id, seat), None)

    @reads
    def notices(self, data: Data) -> list[Notice]:
        here = (key for key in data.notices if self.serves.includes(data.matches[key[0]].guild_id))
        return [data.notices[key] for key in sorted(here)]

    @writes
    def save_selection(self, data: Data, match_id: str, seat: int, window: int, selection: str) -> None:
        if data.is_live(match_id):
            data.selections[match_id, seat] = SavedSelection(window, selection)

    @reads
    def selection(self, data: Data, match_id: str, seat: int, window: int) -> str | None:
        found = data.selections.get((match_id, seat))
        return found.text if found is not None and found.window == window else None

    @reads
    def latest_selection(self, data: Data, match_id: str, seat: int) -> tuple[int, str] | None:
        found = data.selections.get((match_id, seat))
        return None if found is None else (found.window, found.text)

    @reads
    def chance_keys(self, data: Data, match_id: str) -> dict[str, bytes]:
        return dict(data.chance_keys.get(match_id, {}))


def begin_match(data: Data, match: MatchRow, deal: Record, timers: Sequence[TimerRow], now: int) -> None:
    """Accept the invitation of a match's id and open the match. Raises InvitationClosed, DuplicateInteraction."""
    if match.series is not None and _of_series(data, match.series.id, match.series.number) is not None:
        raise InvitationClosed("this match of the series was begun before")
    if not close(data, match.id, InvitationState.ACCEPTED, now):
        raise InvitationClosed("the invitation is no longer open")
    _apply_interaction(data, match.id, deal.interaction_id)
    data.matches[match.id] = replace(
        match,
        agreed=(),
        suspended_at=None,
        suspended_why=None,
        chained_from=0,
        lost_places=LostPlaces(),
        unrated=None,
    )
    data.logs[match.id] = (replace(deal, chain=log_chain.link_of(log_chain.first_link(match.id), deal)),)
    data.timers[match.id] = tuple(timers)


def _of_series(data: Data, series_id: str, number: int) -> str | None:
    places = ((each.id, each.series) for each in data.matches.values())
    found = [id_ for id_, place in places if place is not None and (place.id, place.number) == (series_id, number)]
    return found[0] if found else None


def matches_with(data: Data, guild_id: int, user_id: int) -> list[MatchRow]:
    """All matches of a person in a server, the oldest first."""
    return _by_age(row for row in data.matches.values() if row.guild_id == guild_id and user_id in row.seats)


def delete_match(data: Data, match_id: str) -> None:
    """Delete a match and everything that belongs to it. Standings stay."""
    del data.matches[match_id], data.logs[match_id], data.timers[match_id]
    data.results.pop(match_id, None)
    data.chance_keys.pop(match_id, None)
    data.rating_changes.pop(match_id, None)
    data.board_marks.pop(match_id, None)
    data.daily_attempts.pop(match_id, None)
    data.private_wishes.pop(match_id, None)
    data.suspended_observed.pop(match_id, None)
    data.interactions = {key: found for key, found in data.interactions.items() if found != match_id}
    data.notices = {key: notice for key, notice in data.notices.items() if notice.match_id != match_id}
    data.open_hands = {key: hand for key, hand in data.open_hands.items() if hand.match_id != match_id}
    data.postings = {key: posting for key, posting in data.postings.items() if posting.match_id != match_id}
    data.attendances = {key: each for key, each in data.attendances.items() if key[0] != match_id}
    _delete_selections(data, match_id)


def _apply_interaction(data: Data, match_id: str, interaction_id: int | None) -> None:
    if interaction_id is None:
        return
    if interaction_id in data.interactions:
        raise DuplicateInteraction("this interaction was applied before")
    data.interactions[interaction_id] = match_id


def _refuse_unless_live(data: Data, match_id: str) -> None:
    if not data.is_live(match_id):
        raise Conflict("the match is not live")


def _finish(data: Data, result: Result) -> ResultEffects | None:
    match = data.matches[result.match_id]
    data.matches[match.id] = replace(match, suspended_at=None, suspended_why=None)
    data.results[match.id] = replace(result, chain=data.logs[match.id][-1].chain, attendances=())
    data.timers[match.id] = ()
    data.board_marks.pop(match.id, None)
    _delete_selections(data, match.id)
    data.attendances.update({(match.id, each.seat): each for each in result.attendances})
    if not result.counted:
        return None
    players = [(match.guild_id, match.game, user_id) for user_id in match.seats]
    starts = {player: _start(data, player, result.ended_at) for player in players}
    changes = Ledger(data.standings, data.encounters, starts).apply(
        match.guild_id, match.game, match.seats, result.ranks
    )
    data.rating_changes[match.id] = changes
    for player, tally in zip(players, tallies(result.ranks, changes), strict=True):
        add_to_days(data, DayKey(*player, day_of(result.ended_at)), tally)
    head_to_head = head_to_head_of(data, match.guild_id, match.game, match.seats) if len(match.seats) == 2 else None
    return ResultEffects(changes, head_to_head)


def _start(data: Data, player: Player, now: int) -> Score:
    """What a player begins with: what was held for them, which is then recorded as their start."""
    guild_id, game, user_id = player
    held = None if player in data.standings else data.held_ratings.pop((guild_id, user_id, game), None)
    if held is None or held.until <= now:
        return Score()
    start = held.start
    data.rating_starts[player] = start
    return Score(start.rating, start.wins, start.losses, start.draws, returned=True)


def _delete_selections(data: Data, match_id: str) -> None:
    data.selections = {key: saved for key, saved in data.selections.items() if key[0] != match_id}


def _by_age(rows: Iterable[MatchRow]) -> list[MatchRow]:
    return sorted(rows, key=lambda row: (row.opened_at, row.id))


def _by_deadline(timers: Iterable[TimerRow]) -> list[TimerRow]:
    return sorted(timers, key=lambda timer: (timer.deadline, timer.match_id, timer.name, timer.key))
