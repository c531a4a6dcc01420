"""The store: all that the bot keeps, as methods that bind queries to a database.

What a method does and raises, and what it must be given, is written at its query (`bot.store.queries`). The contract
tests (`tests/bot/store/contract.py`) hold every database to these promises:

* A method that returns has *committed*: what it wrote survives a killed process, and power loss on honest disks.
* A method does all of its work or none. After an exception, nothing has been written. Unsettled says that all of it may
  be there after the process was killed. Only deletions of a person or a server are done in parts, which others may
  read. Once begun they are finished, if need be when the store is opened again or they are asked for again. Until then
  no match or invitation of theirs begins (Busy).
* A list that may be long is read in parts. What is written meanwhile may be in it or not.
* Cancelling a waiting caller changes nothing: its write is still made.
* Nobody ever reads uncommitted data.
* Any number of tasks of one event loop may call methods at once. When two calls overlap, either may come first.

Every method may raise NotSaved, Unsettled, Busy or Damaged, and StoreError once the store is closed
(`bot.store.errors`).

Until a process claims shards, its store serves all servers and no write is checked. Then it serves the servers of the
range alone: what reads or changes everything (live matches, timers, notices, postings, open hands and invitations, the
heartbeat, credits, departures) does so for these. What is read of one match, server or person doesn't depend on the
range. Where several processes can have the data open, each write raises Fenced once another process may have the
shards; "all" then means all of the servers that belong to these shards.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Collection, Coroutine
from typing import Any, Final, Protocol

from bot.shard_range import ShardRange
from bot.store.binding import Bound, listing, now, person_key, reading, serves, spanning, writing
from bot.store.errors import Conflict, Fenced
from bot.store.person_key import PersonKey
from bot.store.queries import (
    attendances,
    clusters,
    deleting,
    digests,
    finished_matches,
    gateway_sessions,
    installation,
    invitations,
    leaderboard_keeping,
    leaderboards,
    matches,
    packing,
    people,
    play,
    profiles,
    ratings,
    screens,
    seasons,
    servers,
    standings,
)
from bot.store.queries import server_settings as settings
from bot.store.queries.begun_deletions import Deletion
from bot.store.queries.database import LEAST, Connection, Database

RENEWED: Final = 1000
"""How long to wait (ms) for a lease that was renewed while it was claimed."""


class Tenant(Protocol):
    """The process that holds shards, as its store sees it."""

    def fenced(self) -> None:
        """A write was refused, because another process has shards of this one. May be called in any thread, and before
        those who wait for the write get an answer."""


class Renewing(Protocol):
    """The process that keeps its lease, as its store sees it. All may be called in any thread."""

    def begin_renewal(self) -> float | None:
        """Now by the process's own clock, in seconds; None if the lease shall not be renewed at the moment."""

    def renewed(self, begun: float) -> None:
        """The lease was renewed, by a renewal that had `begun` then."""

    def not_renewed(self, error: Exception) -> None:
        """A renewal failed."""


def _holder(store: Store) -> clusters.Holder:
    """The process, as the holder of its shards."""
    return clusters.Holder(store.owner, store.data_clock)


class Store(Bound):
    """All subjects of the core. Each line binds a query, where the promise is. Rooms bind theirs by `Part`."""

    def __init__(self, database: Database, now: Callable[[], int], person_key: PersonKey) -> None:
        super().__init__(database, now, person_key)
        self.owner = ""
        """The name by which this process holds its shards; empty before it claimed any."""
        self._deletions: set[asyncio.Task[None]] = set()

    async def close(self) -> None:
        """Finish waiting work and release the data. Closing twice is harmless."""
        await self.database.close()

    # -- invitations, until they close or become matches

    add_invitation = writing(invitations.add)
    set_invitation_message = writing(invitations.set_message)
    reseat_invitation = writing(invitations.reseat)
    close_invitation = writing(invitations.close, now)
    invitation = reading(invitations.find)
    open_invitations = reading(invitations.all_open, serves)
    open_invitations_of = listing(invitations.open_of_user, (LEAST, ""))
    invitations_of = listing(invitations.of_user, LEAST, invitations.oldest_first)

    # -- matches and their logs

    newcomers = reading(play.newcomers, person_key)
    open_match = writing(play.open_match, now)
    append = writing(play.append, person_key)
    end_match = writing(play.end, person_key)
    match_of_interaction = reading(matches.match_of_interaction)
    match = reading(matches.find)
    live_matches = reading(matches.live, serves)
    live_matches_of = listing(matches.live_of_user, (LEAST, ""), matches.oldest_first)
    matches_ended_since = reading(matches.ended_since, serves)
    matches_of = listing(matches.of_user, "", matches.oldest_first)
    latest_finished = spanning(matches.latest_finished)
    result = reading(matches.result)
    records = reading(matches.records)
    matches_of_deal = listing(matches.of_deal, LEAST, matches.oldest_first)
    match_of_series = reading(matches.of_series)
    saved_matches = reading(matches.saved)
    unpacked_log = reading(packing.next_unpacked, serves)
    put_packed_log = writing(packing.put)

    # -- the state of a match

    set_timers = writing(play.set_timers)
    set_reading = writing(play.set_reading)
    set_away = writing(play.set_away)
    set_rest = writing(play.set_rest)
    timers = reading(matches.timers)
    all_timers = reading(matches.all_timers, serves)
    set_board = writing(play.set_board)
    set_paused = writing(play.set_paused)
    show_match = writing(play.show)
    agree_to_call_off = writing(play.agree_to_call_off)
    suspend_match = writing(play.suspend)
    resume_match = writing(play.resume)
    release_match = writing(play.release)

    # -- what matches show in Discord; all of it is deleted with its match

    add_notice = writing(screens.add_notice)
    mark_notice = writing(screens.mark_notice)
    remove_notice = writing(screens.remove_notice)
    notices = listing(screens.notices, ("", LEAST), list, serves)
    save_selection = writing(screens.save_selection)
    selection = reading(screens.selection)
    latest_selection = reading(screens.latest_selection)
    write_open_hands = spanning(screens.write_hands)
    open_hands = listing(screens.open_hands, (LEAST, "", LEAST, LEAST), screens.each_once, serves)
    add_posting = writing(screens.add_posting)
    remove_posting = writing(screens.remove_posting)
    postings = listing(screens.postings, ("", LEAST, LEAST), list, serves)
    write_board_marks = writing(screens.write_marks)

    # -- finished matches as people may see them again

    finished_match = reading(finished_matches.find)
    derivable = reading(finished_matches.derivable)

    # -- standings and ratings, for each game in each server

    standing = spanning(standings.find)
    count_ranked = reading(standings.count_ranked)
    games_played = reading(ratings.games_played)
    head_to_head = spanning(standings.head_to_head)
    player_record = reading(profiles.record_of)
    rating_changes = reading(ratings.changes_of)
    held_ratings = reading(ratings.held_of, person_key)
    rating_starts = reading(ratings.starts_of)

    # -- leaderboards, on which each result counts

    leaderboard_place = reading(leaderboards.place_of)
    is_hidden = reading(leaderboard_keeping.is_hidden)
    is_set_aside = reading(leaderboard_keeping.is_set_aside, person_key)
    is_anybody_set_aside = reading(leaderboard_keeping.is_anybody_set_aside, person_key)
    counted_days = listing(leaderboards.days_of, ("", LEAST), leaderboards.by_day)
    days_between = reading(seasons.days)
    judged_until = reading(seasons.judged_until)
    judge_seasons = writing(seasons.judge)
    season_firsts = reading(seasons.firsts)

    # -- people, each server on its own, except for what they prefer: that is the same everywhere

    set_name = writing(people.set_name)
    names = reading(people.names)
    chats_of = reading(people.chats_of)
    set_notice_level = writing(people.set_notice_level, now)
    notice_level = reading(people.notice_level)
    digest = reading(digests.find)
    set_digest_hour = writing(digests.set_hour, now)
    due_digests = reading(digests.due, serves)
    shown_digests = listing(digests.shown, LEAST, list, serves)
    put_off_digest = writing(digests.put_off)
    begin_posting_digest = writing(digests.begin_posting)
    end_posting_digest = writing(digests.end_posting)
    claim_ping = writing(digests.claim_ping, now)
    last_ping = reading(digests.last_ping)
    set_preference = writing(people.set_preference)
    preferences = reading(people.preferences)
    attendances = spanning(attendances.latest)

    async def anonymise(self, guild_id: int, user_id: int, marker: int, known: Collection[str]) -> None:
        """Replace a person by a marker (`deleting.anonymise`); their ratings are held for `HELD_FOR`."""
        deletion, until = Deletion(guild_id, user_id, marker), self.now() + ratings.HELD_FOR
        await self._to_its_end(
            deleting.anonymise(self.database, deletion, known, key=self.person_key, held_until=until)
        )

    # -- servers, what is set in them, and the bot's own time

    known_guilds = spanning(servers.known, serves)
    used_since = reading(servers.used_since)
    record_departure = spanning(servers.record_departure)
    clear_departure = writing(servers.clear_departure)
    resting_rows = reading(servers.resting_rows)
    departures = reading(servers.departures, serves)
    record_look = spanning(servers.record_look, serves)
    server_settings = reading(settings.all_of, serves)
    change_setting = writing(settings.change)
    record_change = writing(settings.record)
    setting_changes = reading(settings.changes)
    record_heartbeat = writing(installation.record_heartbeat, serves, counts=False)
    last_heartbeat = reading(installation.last_heartbeat, serves)
    credit_downtime = writing(installation.credit_downtime, serves)
    shift_time = writing(installation.shift_time, serves)
    metadata = reading(installation.metadata)
    set_metadata = writing(installation.set_metadata)

    async def purge_guild(self, guild_id: int, unused_since: int | None = None) -> None:
        """Delete all of a server (`deleting.purge`)."""
        await self._to_its_end(deleting.purge(self.database, guild_id, unused_since))

    async def _to_its_end(self, deletion: Coroutine[Any, Any, None]) -> None:
        """Wait for a deletion, which runs to its end also when its caller is cancelled. Raises what it raises."""
        task = asyncio.create_task(deletion)
        self._deletions.add(task)
        task.add_done_callback(self._deletion_ended)
        await asyncio.shield(task)

    def _deletion_ended(self, task: asyncio.Task[None]) -> None:
        self._deletions.discard(task)
        if not task.cancelled():
            task.exception()  # where nobody waits any more, the next start finishes what is left

    # -- which process serves which shards

    renew_shards = writing(clusters.renew, _holder, counts=False)
    shard_owners = reading(clusters.owners)
    take_job = writing(clusters.take_job, _holder)
    take_turn = writing(clusters.take_turn, _holder)
    record_session = writing(clusters.record_session)
    keep_session = writing(gateway_sessions.keep, counts=False)
    take_sessions = writing(gateway_sessions.take, counts=False)

    @property
    def is_shared(self) -> bool:
        """Whether other processes may have the data open."""
        return self.database.is_shared

    async def claim_shards(self, wanted: ShardRange, tenant: Tenant, owner: str, lease: int, *, early: int = 0) -> int:
        """Claim all shards of a range for `lease` ms, if no lease in force has one of them, or counts the shards
        differently. The lease of a process that has surely lost its connection to the data counts as if it ran out
        `early` ms earlier.

        Returns 0 if they were claimed. Otherwise nothing has changed, and it returns the ms after which they are free
        unless they are renewed. `owner` names the process; no other may have had that name. Leases that have run out
        are taken over, and their owners are fenced. It waits for writes under way, so the process then reads all that
        was saved before.
        """
        holder = clusters.Holder(owner, self.data_clock)
        sooner = clusters.Early(early, self.database.has_ended) if self.is_shared else None
        try:
            left = await self.database.write(lambda db: clusters.claim(db, holder, wanted, lease, sooner))
        except Conflict:
            return RENEWED
        if left == 0:
            self.owner, self.serves = owner, wanted
            if self.is_shared:
                self.database.guard = lambda db: self._check(db, tenant)
        return left

    async def keep_renewing(self, process: Renewing, lease: int, every: float) -> None:
        """Renew the lease of the shards, to `lease` ms each time, until cancelled, with a pause of `every` seconds.

        Where the data can tell that a process has ended, its connection for this is what they go by.
        """
        while True:
            begun = process.begin_renewal()
            if begun is not None:
                try:
                    await self.renew_shards(lease)
                except Exception as error:  # noqa: BLE001  whatever it is, the next try may succeed
                    process.not_renewed(error)
                else:
                    process.renewed(begun)
            await asyncio.sleep(every)

    async def release_shards(self) -> None:
        """Give the shards and jobs back, so that others can claim them at once. Harmless if they were taken over."""
        with contextlib.suppress(Fenced):
            await self.database.write(lambda db: clusters.release(db, self.owner))

    def data_clock(self, db: Connection) -> int:
        """The time by which leases run out (ms UTC). It is asked in the database's thread."""
        time = self.database.time(db)
        return self.now() if time is None else time

    def _check(self, db: Connection, tenant: Tenant) -> None:
        """Raise Fenced unless this process still has its shards. It runs in the database's thread."""
        try:
            clusters.check(db, self.owner)
        except Fenced:
            tenant.fenced()
            raise
