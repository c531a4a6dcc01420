"""What `cardroom check` finds altered in deals, and which of it a start finds too (F-29)."""

# ruff: noqa: N802  a test's name bears the number of its fault

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from bot.ops.match_check import Found, verify_all
from bot.shard_range import EVERYTHING
from bot.store.queries import invitations, matches
from bot.store.verification import Altered, opens_seal, verify
from engines.deals import NO_SALT
from tests.bot.play.parts import ANN, CAT
from tests.known import there
from tests.soak.small_database import Added, add_deals
from tests.upgrades.old import lay

pytestmark = pytest.mark.slow  # alters a database of whole matches in every way

DEAL: Final = "its deal was altered"
TERMS: Final = "its terms are not its invitation's"
PLAYERS: Final = "its players or their salts are not its invitation's"

AT_A_START: Final = {
    "the seed": "UPDATE matches SET seed = zeroblob(32) WHERE id = ?",
    "the seal": "UPDATE matches SET commitment = zeroblob(32) WHERE id = ?",
    "the deal's version, lower": "UPDATE matches SET deal_version = 1 WHERE id = ?",
    "the deal's version, higher": "UPDATE matches SET deal_version = 9 WHERE id = ?",
    "the deal's id": "UPDATE matches SET deal_id = deal_id || 'x' WHERE id = ?",
    "the sealed options": "UPDATE matches SET sealed_options = replace(sealed_options, ':', ' :') WHERE id = ?",
    "the options": "UPDATE matches SET options = json_set(options, '$.turn_limit', 7) WHERE id = ?",
    "options that are no JSON": "UPDATE matches SET options = substr(options, 2) WHERE id = ?",
    "the version of the rules": "UPDATE matches SET rules_version = rules_version + 1 WHERE id = ?",
    "the text of a salt": "UPDATE seats SET salt = salt || ' more' WHERE match_id = ? AND seat = 1",
    "a salt removed": "UPDATE seats SET salt = NULL WHERE match_id = ? AND seat = 0",
    "the digest of a salt": "UPDATE seats SET salt_digest = zeroblob(32) WHERE match_id = ? AND seat = 0",
    "a digest removed": "UPDATE seats SET salt_digest = NULL WHERE match_id = ? AND seat = 0",
    "salts exchanged": (
        "UPDATE seats SET salt = (SELECT salt FROM seats AS other WHERE other.match_id = seats.match_id"
        " AND other.seat <> seats.seat) WHERE match_id = ?"
    ),
}
"""What is altered of a match, live or over."""

BY_CHECK: Final = {
    "a salt and its digest": (
        f"UPDATE seats SET salt = '', salt_digest = x'{NO_SALT.hex()}' WHERE match_id = ? AND seat = 0",
        {PLAYERS, "its deal doesn't follow from its seed"},
    ),
    "salts exchanged with their digests": (
        (
            "UPDATE seats SET (salt, salt_digest) = (SELECT salt, salt_digest FROM seats AS other"
            " WHERE other.match_id = seats.match_id AND other.seat <> seats.seat) WHERE match_id = ?"
        ),
        {PLAYERS, "its deal doesn't follow from its seed"},
    ),
    "a salt of its invitation": (
        "UPDATE invitations SET salts = replace(salts, 'Ann', 'Eve') WHERE id = ?",
        {PLAYERS},
    ),
    "salts of its invitation that are no JSON": (
        "UPDATE invitations SET salts = substr(salts, 2) WHERE id = ?",
        {PLAYERS},
    ),
    "the deal's version of its invitation": (
        "UPDATE invitations SET deal_version = 1 WHERE id = ?",
        {TERMS},
    ),
    "the version of the rules of its invitation": (
        "UPDATE invitations SET rules_version = rules_version + 1 WHERE id = ?",
        {TERMS},
    ),
    "the deal's id of its invitation": ("UPDATE invitations SET deal_id = 'x' WHERE id = ?", {TERMS}),
    "the sealed options of its invitation": ("UPDATE invitations SET sealed_options = '{}' WHERE id = ?", {TERMS}),
    "a player": ("UPDATE seats SET user_id = 77 WHERE match_id = ? AND seat = 0", {PLAYERS}),
}
"""What only shows when a match is compared with its invitation or is dealt again, and the reasons that are named."""

OF_AN_INVITATION: Final = {
    "the seed": "UPDATE invitations SET seed = zeroblob(32) WHERE id = ?",
    "the seal": "UPDATE invitations SET commitment = zeroblob(32) WHERE id = ?",
    "the game": "UPDATE invitations SET game = 'ciq' WHERE id = ?",
    "the deal's version": "UPDATE invitations SET deal_version = deal_version + 1 WHERE id = ?",
    "the deal's id": "UPDATE invitations SET deal_id = deal_id || 'x' WHERE id = ?",
    "the sealed options": "UPDATE invitations SET sealed_options = sealed_options || ' ' WHERE id = ?",
    "the options": "UPDATE invitations SET options = json_set(options, '$.turn_limit', 7) WHERE id = ?",
    "the version of the rules": "UPDATE invitations SET rules_version = rules_version + 1 WHERE id = ?",
    "the version of the rules removed": "UPDATE invitations SET rules_version = NULL WHERE id = ?",
}
"""What is altered of an open invitation."""
OF_A_SHARED_DEAL: Final = {
    "daily_deals": ("game = 'tivmiv'", "root = zeroblob(32)", "nth = nth + 1"),
    "weekly_deals": ("game = 'tivmiv'", "root = zeroblob(32)", "nth = nth + 1"),
    "tournament_deals": ("tournament_id = 'another'",),
}
"""What is altered of a deal that several matches share; of each also what a seal binds."""
BOUND: Final = (
    "seed = zeroblob(32)",
    "commitment = zeroblob(32)",
    "rules_version = rules_version + 1",
    "deal_version = 2",
)


@dataclass
class Copy:
    """A copy of a database, to be altered."""

    path: Path
    ids: Added

    def change(self, sql: str, match_id: str) -> None:
        """Alter the rows of a match."""
        with closing(sqlite3.connect(self.path, isolation_level=None)) as db:
            assert db.execute(sql, (match_id,)).rowcount > 0

    def check(self) -> Found:
        """What `cardroom check` finds."""
        with closing(sqlite3.connect(self.path)) as db:
            return verify_all(db)

    def refusal(self, match_id: str) -> str:
        """Why the bot doesn't take up the match at a start, or doesn't show it if it is over; empty if it does."""
        with closing(sqlite3.connect(self.path)) as db:
            row = there(matches.find(db, match_id))
            try:
                verify(row, matches.records(db, match_id), matches.result(db, match_id))
            except Altered as found:
                return str(found)
        return ""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    path = lay(tmp_path_factory.mktemp("whole"))
    copy = Copy(path, asyncio.run(add_deals(path)))
    assert copy.check().altered == {}
    return copy


@pytest.fixture
def copy(whole: Copy, tmp_path: Path) -> Copy:
    return Copy(Path(shutil.copy(whole.path, tmp_path / "cardroom.db")), whole.ids)


@pytest.mark.parametrize("of", ["live", "over"])
@pytest.mark.parametrize("harm", AT_A_START)
def test_F_29_a_match_whose_deal_was_altered_is_named_and_not_taken_up(copy: Copy, harm: str, of: str) -> None:
    match_id = getattr(copy.ids, of)
    assert copy.refusal(match_id) == ""
    copy.change(AT_A_START[harm], match_id)
    assert copy.check().altered == {match_id: DEAL}
    assert copy.refusal(match_id) == DEAL


@pytest.mark.parametrize("harm", BY_CHECK)
def test_F_29_what_only_a_comparison_shows_is_named_by_check(copy: Copy, harm: str) -> None:
    sql, reasons = BY_CHECK[harm]
    copy.change(sql, copy.ids.over)
    (named,) = copy.check().altered.items()
    assert named[0] == copy.ids.over
    assert named[1] in reasons


@pytest.mark.parametrize("harm", OF_AN_INVITATION)
def test_F_29_an_open_invitation_is_named_whatever_was_altered_of_its_deal(copy: Copy, harm: str) -> None:
    copy.change(OF_AN_INVITATION[harm], copy.ids.asked)
    assert copy.check().altered == {copy.ids.asked: DEAL}


@pytest.mark.parametrize(
    ("table", "harm"), [(table, harm) for table, own in OF_A_SHARED_DEAL.items() for harm in (*own, *BOUND)]
)
def test_F_29_a_shared_deal_is_named_before_anybody_plays_it(copy: Copy, table: str, harm: str) -> None:
    with closing(sqlite3.connect(copy.path)) as db:
        ((deal_id,),) = db.execute(f"SELECT deal_id FROM {table}")
    copy.change(f"UPDATE {table} SET {harm} WHERE deal_id = ?", deal_id)
    assert copy.check().altered[f"the deal {deal_id}"] == "it was altered"


def test_F_29_a_salt_in_an_open_invitation_that_is_none_keeps_it_from_being_read(copy: Copy) -> None:
    copy.change("UPDATE invitations SET salts = '[[1, 2]]' WHERE id = ?", copy.ids.asked)
    assert copy.check().altered == {"an open invitation": "it can't be read"}
    with closing(sqlite3.connect(copy.path)) as db:
        assert copy.ids.asked not in {each.id for each in invitations.all_open(db, EVERYTHING)}


def test_F_29_a_deleted_player_leaves_a_digest_that_proves_the_deal_and_no_text(copy: Copy) -> None:
    match_id = copy.ids.deleted
    with closing(sqlite3.connect(copy.path)) as db:
        row = matches.find(db, match_id)
    assert row is not None
    (seat,) = [seat for seat, user in enumerate(row.seats) if user < 0]
    assert (row.salts[seat].text, CAT in row.seats, ANN in row.seats) == (None, False, True)
    assert opens_seal(row)
    assert copy.refusal(match_id) == ""
    copy.change("UPDATE seats SET salt_digest = zeroblob(32) WHERE match_id = ? AND user_id < 0", match_id)
    assert copy.check().altered == {match_id: "its deal doesn't follow from its seed"}


def test_F_29_another_player_on_any_seat_is_named(copy: Copy) -> None:
    with closing(sqlite3.connect(copy.path)) as db:
        for (match_id,) in db.execute("SELECT id FROM matches").fetchall():
            db.execute("UPDATE seats SET user_id = user_id + 1000 WHERE match_id = ? AND seat = 0", (match_id,))
            assert match_id in verify_all(db).altered
            db.rollback()


TWICE: Final = "its log is there twice, or is packed unlike its result says"


@pytest.mark.parametrize(
    ("sql", "reason"),
    [
        ("UPDATE results SET packed = 0 WHERE match_id = ?", TWICE),
        (
            (
                "INSERT INTO records (match_id, seq, guild_id, events, at, chain)"
                " SELECT match_id, 99, guild_id, '[]', 0, zeroblob(32) FROM packed_logs WHERE match_id = ?"
            ),
            "its log was altered at record 0",
        ),
        ("UPDATE packed_logs SET guild_id = guild_id + 1 WHERE match_id = ?", "a row of it names another server"),
        ("UPDATE packed_logs SET log = substr(log, 2) WHERE match_id = ?", "its log was altered at record 0"),
        ("DELETE FROM packed_logs WHERE match_id = ?", "its log was altered at record 0"),
    ],
)
def test_F_29_the_check_names_a_match_whose_packed_log_is_not_what_was_saved(copy: Copy, sql: str, reason: str) -> None:
    with closing(sqlite3.connect(copy.path)) as db:
        (match_id,) = db.execute("SELECT min(match_id) FROM packed_logs").fetchone()
        db.execute("DROP TRIGGER packed_logs_are_never_changed")
        db.execute("DROP TRIGGER packed_logs_are_kept")
    copy.change(sql, match_id)
    assert copy.check().altered == {match_id: reason}
