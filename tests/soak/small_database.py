"""A small database with rows in most tables: what `tests.soak.flips` flips."""

from __future__ import annotations

import asyncio
import random
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, Final

from bot.play.live_match import LiveMatch
from bot.scheduler import LoopScheduler
from bot.store.queries.invitations import Invitation
from bot.store.sqlite.store import SqliteStore
from cogs.leaderboards.queries import LeaderboardQueries
from cogs.personal_data.commands import forget
from engines.game import Resign
from laws.play import random_act
from tests.bot.play.parts import ANN, BOB, CAT, GUILD, MESSAGE, Parts
from tests.bot.store.packing import pack_all
from tests.bot.store.recounts import rebuild_standings
from tests.upgrades.old import lay

NOW: Final = 1_900_000_000_000
GAMES_KEPT: Final = ("haymaker", "tivmiv", "unbreakable")
"""The games whose matches stay: those with the shortest logs, so that flips in them are not all there is."""
LEFT_OUT: Final = (
    *("bars", "set_asides", "blocks", "daily_messages", "greetings", "held_ratings", "rating_starts"),
    *("standings_resets", "recounts", "digest_servers", "turn_digests", "last_pings"),
    *("server_settings", "setting_changes", "table_notices", "table_subscriptions", "turns"),
    *("tournament_hosts", "tournament_entrants", "tournament_asks", "tournament_rounds"),
    *("tournament_pairings", "tournament_legs", "tournament_corrections"),
    *("leagues", "league_hosts", "league_members", "league_places", "league_pairings", "league_offers"),
    *("weekly_scores", "weekly_servers", "absences", "week_posts", "week_firsts"),
    *("gateway_sessions", "gateway_servers"),
)
"""Tables without rows: of a byte in most of them nothing could say what was there."""
SALTS: Final = {ANN: "a pinch of Ann", BOB: "a pinch of Bob", CAT: "a pinch of Cat"}

_presses = count(5_000_000)  # those of the matches that are there are lower


@dataclass(frozen=True, slots=True)
class Added:
    """The ids of what `add_deals` adds: matches with salts that are live, over, and over with a deleted player; an open
    challenge with salts."""

    live: str
    over: str
    deleted: str
    asked: str


def make_small_database(folder: Path) -> Path:
    """The database to flip: closed, without a journal, as small as it gets."""
    path = lay(folder)
    asyncio.run(add_deals(path))
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA foreign_keys = ON")
        marks = ", ".join("?" * len(GAMES_KEPT))
        db.execute(
            f"DELETE FROM matches WHERE id NOT IN (SELECT match_id FROM seats WHERE salt <> '')"
            f" AND id NOT IN (SELECT min(id) FROM matches WHERE game IN ({marks}) GROUP BY game, live)"
            " AND id NOT IN (SELECT match_id FROM results WHERE counted ORDER BY number LIMIT 1)"
            " AND suspended_at IS NULL AND id NOT IN (SELECT match_id FROM notices)",
            GAMES_KEPT,
        )
        db.execute("DELETE FROM matches WHERE day IS NOT NULL")
        for table in LEFT_OUT:
            db.execute(f"DELETE FROM {table}")
        db.execute("DELETE FROM invitations WHERE state <> 'open' AND id NOT IN (SELECT id FROM matches)")
    rebuild_standings(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode = DELETE")
        db.execute("VACUUM")
    return path


async def add_deals(path: Path) -> Added:
    """Add deals with salts to a database."""
    store = await SqliteStore.open(path, now=lambda: NOW)
    same_promises: Any = store  # as those of the store in memory, with which the parts are put together otherwise
    parts = Parts(same_promises, LoopScheduler(NOW))
    try:
        live, over, deleted = [await _salted_match(parts, guest) for guest in (BOB, BOB, CAT)]
        for match in (over, deleted):
            await _resign(parts, match)
        await forget(store, GUILD, CAT)
        await pack_all(store, NOW - 1)  # those that were there before
        await LeaderboardQueries(store).set_hidden(GUILD, BOB, hidden=True)
        asked = await _salted(parts, BOB)
        await parts.close()
    finally:
        await store.close()
    return Added(live.id, over.id, deleted.id, asked.id)


async def _salted(parts: Parts, guest: int) -> Invitation:
    invitation = await parts.invited(ANN, guest, game="unbreakable")
    for user in (guest, ANN):
        invitation = await parts.seating.add_salt(invitation.id, user, SALTS[user])
    return invitation


async def _salted_match(parts: Parts, guest: int) -> LiveMatch:
    """A match with its first act."""
    invitation = await _salted(parts, guest)
    with parts.presses.take_up(invitation.id, next(_presses)) as press:
        match = await parts.seating.take_seat(invitation.id, guest, MESSAGE, press)
    assert isinstance(match, LiveMatch)
    seat = min(match.awaited)
    await match.act(seat, random_act(match.choices(seat), random.Random(1)), interaction_id=next(_presses))
    return match


async def _resign(parts: Parts, match: LiveMatch) -> None:
    await match.act(0, Resign(), interaction_id=next(_presses))
    parts.clock.settle(match)
    assert match.over
