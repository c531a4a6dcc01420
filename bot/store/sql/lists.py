"""Long lists, read page by page and put in their order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final, TypeVar

from bot.shard_range import ShardRange
from bot.store.boards import DayKey, Tally
from bot.store.queries import daily, invitations, matches, people, replays, screens, standings
from bot.store.queries.boards import reading
from bot.store.queries.connection import Connection
from bot.store.queries.database import Database
from bot.store.queries.paging import Page
from bot.store.queries.servers import guilds, looks
from bot.store.rows.daily import DailyAttempt
from bot.store.rows.invitations import Invitation, InvitationState
from bot.store.rows.matches import MatchRow
from bot.store.rows.people import Attendance
from bot.store.rows.replays import FinishedMatch, HistoryQuery
from bot.store.rows.screens import HandRow, Notice, Posting
from bot.store.rows.servers import Observed
from bot.store.rows.standings import Standing

T = TypeVar("T")
K = TypeVar("K")

_NEWEST: Final = 2**62
"""A number or moment after all others."""
_LEAST: Final = -(2**63)
"""The least integer of a database."""


async def matches_of(database: Database, guild_id: int, user_id: int) -> list[MatchRow]:
    """`MatchStore.matches_of`."""
    return _oldest_first(await database.read_all(lambda db, after: matches.of_user(db, guild_id, user_id, after), ""))


async def live_matches_of(database: Database, user_id: int) -> list[MatchRow]:
    """`MatchStore.live_matches_of`."""
    found = await database.read_all(lambda db, after: matches.live_of_user(db, user_id, after), (_LEAST, ""))
    return _oldest_first(found)


async def matches_of_deal(database: Database, guild_id: int, deal_id: str) -> list[MatchRow]:
    """`MatchStore.matches_of_deal`."""
    found = await database.read_all(lambda db, after: matches.of_deal(db, guild_id, deal_id, after), _LEAST)
    return _oldest_first(found)


def _oldest_first(found: list[MatchRow]) -> list[MatchRow]:
    return sorted(found, key=lambda row: (row.opened_at, row.id))


async def latest_finished(
    database: Database, guild_id: int, user_id: int, most: int, channel_id: int | None
) -> list[MatchRow]:
    """`MatchStore.latest_finished`."""
    return await _first(
        database,
        lambda db, before, wanted: matches.latest_finished(
            db, guild_id, user_id, most=wanted, channel_id=channel_id, before=before
        ),
        _NEWEST,
        most,
    )


async def finished_matches(
    database: Database, query: HistoryQuery, most: int, before: str | None, after: str | None
) -> list[FinishedMatch]:
    """`ReplayStore.finished_matches`."""
    oldest = await database.read(lambda db: replays.number(db, query, after))
    if oldest is not None:
        newer = await _first(
            database, lambda db, place, wanted: replays.page(db, query, wanted, place, older=False), oldest, most
        )
        return newer[::-1]
    newest = await database.read(lambda db: replays.number(db, query, before))
    return await _first(
        database,
        lambda db, place, wanted: replays.page(db, query, wanted, place, older=True),
        _NEWEST if newest is None else newest,
        most,
    )


async def open_invitations_of(database: Database, user_id: int) -> list[Invitation]:
    """`InvitationStore.open_invitations_of`."""
    return await database.read_all(lambda db, after: invitations.open_of_user(db, user_id, after), (_LEAST, ""))


async def invitations_of(database: Database, guild_id: int, user_id: int) -> list[tuple[Invitation, InvitationState]]:
    """`InvitationStore.invitations_of`."""
    found = await database.read_all(lambda db, after: invitations.of_user(db, guild_id, user_id, after), _LEAST)
    return sorted(found, key=lambda each: (each[0].created_at, each[0].id))


async def notices(database: Database, serves: ShardRange) -> list[Notice]:
    """`MatchStore.notices`."""
    return await database.read_all(lambda db, after: matches.notices(db, after, serves), ("", _LEAST))


async def postings(database: Database, serves: ShardRange) -> list[Posting]:
    """`ScreenStore.postings`."""
    return await database.read_all(lambda db, after: screens.postings(db, after, serves), ("", _LEAST, _LEAST))


async def open_hands(database: Database, serves: ShardRange) -> list[HandRow]:
    """`ScreenStore.open_hands`. One that was saved again while they were read was in two pages: the later is valid."""
    found = await database.read_all(lambda db, after: screens.hands(db, after, serves), (_LEAST, "", _LEAST, _LEAST))
    return list({hand.key: hand for hand in found}.values())


async def standing(database: Database, guild_id: int, game: str, user_id: int) -> Standing | None:
    """`StandingStore.standing`."""
    found = await database.read(lambda db: standings.find(db, guild_id, game, user_id))
    if found is None:
        return None
    own, ordinal = found
    above = await database.read_all(lambda db, after: standings.above(db, guild_id, game, ordinal, after), 0)
    return replace(own, rank=1 + sum(above))


async def board_days(database: Database, guild_id: int, user_id: int) -> dict[DayKey, Tally]:
    """`BoardStore.board_days`."""
    found = await database.read_all(lambda db, after: reading.days(db, guild_id, user_id, after), ("", _LEAST))
    return dict(sorted(found, key=lambda each: (each[0].day, each[0].game)))


async def attendances(database: Database, guild_id: int, user_id: int, most: int) -> list[Attendance]:
    """`PeopleStore.attendances`."""
    return await _first(
        database,
        lambda db, before, wanted: people.attendances(db, guild_id, user_id, wanted, before),
        (_NEWEST, ""),
        most,
    )


async def attempts_on(database: Database, guild_id: int, day: int) -> list[DailyAttempt]:
    """`DailyStore.attempts_on`."""
    return _in_order(await database.read_all(lambda db, after: daily.attempts_on(db, guild_id, day, after), ""))


async def attempts_by(database: Database, guild_id: int, user_id: int) -> list[DailyAttempt]:
    """`DailyStore.attempts_by`."""
    return _in_order(await database.read_all(lambda db, after: daily.attempts_by(db, guild_id, user_id, after), ""))


async def unshown_attempts(database: Database, since: int, serves: ShardRange) -> list[DailyAttempt]:
    """`DailyStore.unshown_attempts`."""
    found = await database.read_all(daily.unshown, (since, ""))
    return _in_order([each for each in found if serves.includes(each[1].guild_id)])


def _in_order(found: Sequence[daily.Opened]) -> list[DailyAttempt]:
    return [tried for _, tried in sorted(found, key=lambda each: each[0])]


async def known_guilds(database: Database, serves: ShardRange) -> set[int]:
    """`ServerStore.known_guilds`."""
    known: set[int] = set()
    for table in guilds.NAMING:
        known.update(await database.read_all(partial(_known_in, table), _LEAST))
    return {guild_id for guild_id in known if serves.includes(guild_id)}


def _known_in(table: str, db: Connection, after: int) -> Page[int, int]:
    return guilds.known(db, table, after)


async def observed(database: Database, looked_on: int, serves: ShardRange) -> Observed:
    """For how long the bot has observed each departure and suspension, after it has looked on for so long in all."""
    departures = await database.read_all(lambda db, after: looks.departures(db, looked_on, after), _LEAST)
    suspended = await database.read_all(lambda db, after: looks.suspended(db, looked_on, after, serves), "")
    here = {guild_id: away for guild_id, away in departures if serves.includes(guild_id)}
    return Observed(here, dict(suspended))


async def _first(database: Database, page: Callable[[Connection, K, int], Page[T, K]], start: K, most: int) -> list[T]:
    """The first `most` rows of a list. `page` reads at most as many as are still wanted."""
    found: list[T] = []
    after: K | None = start
    while after is not None and len(found) < most:
        rows, after = await database.read(partial(_wanted, page, after, most - len(found)))
        found += rows
    return found


def _wanted(page: Callable[[Connection, K, int], Page[T, K]], after: K, wanted: int, db: Connection) -> Page[T, K]:
    return page(db, after, wanted)
