"""Deals of version 1 after the upgrade to tables that know version 2: open invitations stay as they are."""

from __future__ import annotations

import random
import shutil
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from itertools import count
from pathlib import Path
from typing import Any, Final

import pytest

from bot.ops.match_check import verify_all
from bot.play.deals.proof import check
from bot.play.live_match import LiveMatch
from bot.play.refusals import Refused
from bot.scheduler import LoopScheduler
from bot.store.errors import TooNew
from bot.store.rows.invitations import Invitation, InvitationKind
from bot.store.sqlite.backup import restore
from bot.store.sqlite.schema import MIGRATIONS
from bot.store.sqlite.store import SqliteStore
from bot.store.verification import opens_seal
from engines import GAMES
from laws.play import random_act
from tests.bot.play.parts import Parts
from tests.upgrades.old import SCHEMAS, lay, rows

LAST_OF_VERSION_1: Final = 6
"""The last tables that know no version 2 of a deal."""
BEFORE: Final = [version for version in SCHEMAS if version <= LAST_OF_VERSION_1]
ACTS: Final = 6

presses = count(9_000_000)


@asynccontextmanager
async def bot_on(path: Path) -> AsyncIterator[Parts]:
    """The parts of a bot on a database of a few minutes ago, its open invitations taken up."""
    now = max(row["created_at"] for row in rows(path)["invitations"]) + 60_000
    store = await SqliteStore.open(path, now=lambda: now)
    same_promises: Any = store  # as those of the store in memory, with which the parts are put together otherwise
    parts = Parts(same_promises, LoopScheduler(now))
    try:
        await parts.invitations.resume()
        yield parts
    finally:
        await parts.close()
        await store.close()


async def begun(parts: Parts, invitation: Invitation) -> LiveMatch:
    """The match of an invitation that somebody accepts, or starts."""
    seating = parts.seating
    with parts.presses.take_up(invitation.id, next(presses)) as press:
        if invitation.kind is InvitationKind.TABLE:
            return await seating.start(invitation.id, invitation.host_id, None, press)
        match = await seating.take_seat(invitation.id, invitation.invited[0], None, press)
    assert isinstance(match, LiveMatch)
    return match


@pytest.mark.parametrize("version", BEFORE)
async def test_an_open_invitation_becomes_a_match_of_version_1_that_can_be_proven(tmp_path: Path, version: int) -> None:
    path = lay(version, tmp_path)
    open_before = {row["id"] for row in rows(path)["invitations"] if row["state"] == "open"}
    rng, dealt = random.Random(version), 0
    async with bot_on(path) as parts:
        assert {each.id for each in parts.invitations.open()} == open_before
        for invitation in parts.invitations.open():
            assert opens_seal(invitation)
            assert (invitation.deal_version, invitation.rules_version, invitation.salts) == (1, None, ())
            with pytest.raises(Refused) as refused:
                await parts.seating.add_salt(invitation.id, invitation.host_id, "a pinch")
            assert refused.value.key == "salt.old_deal"
            match = await begun(parts, invitation)
            for seat in [*match.awaited][:ACTS]:
                await match.act(seat, random_act(match.choices(seat), rng), interaction_id=next(presses))
            row = await parts.store.match(match.id)
            assert row is not None
            assert (row.deal_version, row.deal_id, row.sealed_options, row.salts) == (1, "", "", ())
            assert (row.seed, row.commitment) == (invitation.seed, invitation.commitment)
            assert row.rules_version == GAMES[row.game].info.rules_version
            assert opens_seal(row)
            check(row, await parts.store.records(row.id), {})
            dealt += 1
    assert dealt == len(open_before) >= 2
    with closing(sqlite3.connect(path)) as db:
        assert verify_all(db).altered == {}


async def test_going_back_takes_the_backup_and_coming_again_upgrades_what_was_played(tmp_path: Path) -> None:
    path = lay(LAST_OF_VERSION_1, tmp_path)
    before = rows(path)
    async with bot_on(path) as parts:
        (challenge,) = [each for each in parts.invitations.open() if each.kind is InvitationKind.CHALLENGE]
        await begun(parts, challenge)

    old = tmp_path / "old"
    old.mkdir()
    for file in sorted(MIGRATIONS.glob("*.sql"))[:LAST_OF_VERSION_1]:
        shutil.copy(file, old)
    with pytest.raises(TooNew):
        await SqliteStore.open(path, now=lambda: 1500, migrations_folder=old)
    _, replaced = restore(path.with_name(f"cardroom.db.v{LAST_OF_VERSION_1}.backup"), path)
    assert replaced is not None
    await (await SqliteStore.open(path, now=lambda: 1500, migrations_folder=old)).close()
    assert {**rows(path), "progress": []} == {**before, "progress": []}

    async with bot_on(path) as parts:
        (challenge,) = [each for each in parts.invitations.open() if each.kind is InvitationKind.CHALLENGE]
        match = await begun(parts, challenge)
        row = await parts.store.match(match.id)
        assert row is not None
        assert row.deal_version == 1
    with closing(sqlite3.connect(path)) as db:
        assert verify_all(db).altered == {}
