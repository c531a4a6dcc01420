"""People in memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from bot.store.errors import Conflict
from bot.store.memory.boards import without
from bot.store.memory.data import Data
from bot.store.memory.invitations import invitations_that_name
from bot.store.memory.matches import matches_with
from bot.store.memory.transactions import Transactions, reads, writes
from bot.store.rows.invitations import Invitation, InvitationState
from bot.store.rows.matches import MatchRow
from bot.store.rows.people import Attendance, NoticeLevel, TableSubscriber
from bot.store.rows.standings import HELD_FOR, HeldRating, RatingStart


class MemoryPeople(Transactions):
    """`bot.store.protocols.people.PeopleStore` in memory."""

    @writes
    def set_name(self, data: Data, guild_id: int, user_id: int, name: str) -> None:
        data.names[guild_id, user_id] = name

    @reads
    def names(self, data: Data, guild_id: int, user_ids: Sequence[int]) -> dict[int, str]:
        return {user: data.names[guild_id, user] for user in user_ids if (guild_id, user) in data.names}

    @writes
    def set_notice_level(self, data: Data, guild_id: int, user_id: int, level: NoticeLevel) -> None:
        data.notice_levels[guild_id, user_id] = level

    @reads
    def notice_level(self, data: Data, guild_id: int, user_id: int) -> NoticeLevel:
        return data.notice_levels.get((guild_id, user_id), NoticeLevel.PING)

    @writes
    def set_preference(self, data: Data, user_id: int, name: str, value: str) -> None:
        data.preferences[user_id, name] = value

    @reads
    def preferences(self, data: Data, user_ids: Sequence[int]) -> dict[int, dict[str, str]]:
        found: dict[int, dict[str, str]] = {}
        for (user, name), value in data.preferences.items():
            if user in user_ids:
                found.setdefault(user, {})[name] = value
        return found

    @writes
    def set_table_subscription(self, data: Data, guild_id: int, user_id: int, game: str, *, wanted: bool) -> None:
        if wanted:
            data.table_subscriptions[guild_id, game, user_id] = True
        else:
            data.table_subscriptions.pop((guild_id, game, user_id), None)

    @reads
    def table_subscriptions(self, data: Data, guild_id: int, user_id: int) -> list[str]:
        return sorted(game for guild, game, user in data.table_subscriptions if (guild, user) == (guild_id, user_id))

    @reads
    def table_subscribers(self, data: Data, guild_id: int, game: str, after: int, most: int) -> list[TableSubscriber]:
        found = [user for guild, of, user in data.table_subscriptions if (guild, of) == (guild_id, game)]
        return [TableSubscriber(user, data.table_notices.get(user)) for user in sorted(found) if user > after][:most]

    @writes
    def record_table_notice(self, data: Data, user_id: int, at: int) -> None:
        data.table_notices[user_id] = at

    @reads
    def last_table_notice(self, data: Data, user_id: int) -> int | None:
        return data.table_notices.get(user_id)

    @reads
    def attendances(self, data: Data, guild_id: int, user_id: int, most: int) -> list[Attendance]:
        theirs = [
            each
            for each in data.attendances.values()
            if (data.matches[each.match_id].guild_id, data.matches[each.match_id].seats[each.seat])
            == (guild_id, user_id)
        ]
        return sorted(theirs, key=lambda each: (each.ended_at, each.match_id), reverse=True)[:most]

    @writes
    def anonymise(
        self, data: Data, guild_id: int, user_id: int, marker: int, keys: Mapping[str, Mapping[str, bytes]]
    ) -> None:
        matches = matches_with(data, guild_id, user_id)
        invitations = invitations_that_name(data, guild_id, user_id)
        _refuse_unless_finished(data, matches, [state for _, state in invitations], keys)
        for match in matches:
            seats = {seat for seat, user in enumerate(match.seats) if user == user_id}
            data.open_hands = {
                key: hand for key, hand in data.open_hands.items() if key[0] != match.id or key[1] not in seats
            }
            for seat in seats:
                data.attendances.pop((match.id, seat), None)
            data.chance_keys[match.id] = {**keys[match.id], **data.chance_keys.get(match.id, {})}
            salts = tuple(replace(salt, text=None) if seat in seats else salt for seat, salt in enumerate(match.salts))
            data.matches[match.id] = replace(match, seats=_replaced(match.seats, user_id, marker), salts=salts)
        for invitation, _ in invitations:
            found = data.invitations[invitation.id]
            data.invitations[invitation.id] = replace(found, invitation=_without(invitation, user_id, marker))
        for key, notice in data.notices.items():
            if notice.user_id == user_id and data.matches[notice.match_id].guild_id == guild_id:
                data.notices[key] = replace(notice, user_id=marker, mark=None)
        hold_ratings(data, guild_id, user_id, self._now() + HELD_FOR)
        anonymise_ratings(data, guild_id, user_id, marker)
        data.standings = {
            (guild, game, marker if (guild, user) == (guild_id, user_id) else user): score
            for (guild, game, user), score in data.standings.items()
        }
        data.board_days = without(data.board_days, guild_id, user_id, marker)
        data.hidden_on_boards.pop((guild_id, user_id), None)
        data.season_firsts.pop((guild_id, user_id), None)
        data.setting_changes[guild_id] = tuple(
            replace(change, user_id=marker) if change.user_id == user_id else change
            for change in data.setting_changes.get(guild_id, ())
        )
        for match_id, tried in data.daily_attempts.items():
            if (tried.guild_id, tried.user_id) == (guild_id, user_id):
                data.daily_attempts[match_id] = replace(tried, user_id=marker)
        data.comeback_searches.pop((guild_id, user_id), None)
        data.names.pop((guild_id, user_id), None)
        data.notice_levels.pop((guild_id, user_id), None)
        data.preferences = {key: value for key, value in data.preferences.items() if key[0] != user_id}
        data.table_subscriptions = {
            (guild, game, user): wanted
            for (guild, game, user), wanted in data.table_subscriptions.items()
            if (guild, user) != (guild_id, user_id)
        }
        data.table_notices.pop(user_id, None)


def hold_ratings(data: Data, guild_id: int, user_id: int, until: int) -> None:
    """Hold somebody's ratings in a server until a moment (ms UTC)."""
    for (guild, game, user), score in data.standings.items():
        if (guild, user) == (guild_id, user_id):
            start = RatingStart(game, score.rating, score.wins, score.losses, score.draws)
            data.held_ratings[guild, user, game] = HeldRating(start, until)


def anonymise_ratings(data: Data, guild_id: int, user_id: int, marker: int) -> None:
    """Replace somebody in encounters and starts of a server by a marker."""

    def without(guild: int, user: int) -> int:
        return marker if (guild, user) == (guild_id, user_id) else user

    data.encounters = {
        (guild, game, without(guild, user)): {without(guild, other): each for other, each in met.items()}
        for (guild, game, user), met in data.encounters.items()
    }
    data.rating_starts = {
        (guild, game, without(guild, user)): start for (guild, game, user), start in data.rating_starts.items()
    }


def _refuse_unless_finished(
    data: Data,
    matches: Sequence[MatchRow],
    states: Sequence[InvitationState],
    keys: Mapping[str, Mapping[str, bytes]],
) -> None:
    if any(data.is_live(match.id) for match in matches):
        raise Conflict("a match of theirs is live")
    if any(match.id not in keys for match in matches):
        raise Conflict("another match of theirs has ended")
    if InvitationState.OPEN in states:
        raise Conflict("an invitation of theirs is open")


def _without(invitation: Invitation, user_id: int, marker: int) -> Invitation:
    return replace(
        invitation,
        host_id=marker if invitation.host_id == user_id else invitation.host_id,
        invited=_replaced(invitation.invited, user_id, marker),
        seated=_replaced(invitation.seated, user_id, marker),
        places=_replaced(invitation.places, user_id, marker),
        salts=tuple((user, salt) for user, salt in invitation.salts if user != user_id),
    )


def _replaced(users: Sequence[int], user_id: int, marker: int) -> tuple[int, ...]:
    return tuple([marker if user == user_id else user for user in users])
