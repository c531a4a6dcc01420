"""The contract's part on packed logs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.shard_range import ShardRange
from bot.store.errors import Conflict
from bot.store.queries.database import NEWEST
from bot.store.queries.matches import Record
from bot.store.queries.packing import PackedLog, UnpackedLog, packed
from bot.store.store import Store
from bot.store.verification import first_altered
from cogs.daily.queries import DailyQueries
from tests.bot.store.packing import pack_all
from tests.bot.store.rows import ANN, BOB, DAY, GUILD, attempted, match, opened, played, record, result

PLAYED = (
    record(1, interaction=71, events='["ä 🃏"]'),
    replace(record(2, actor=1, events='["\\n"]'), computer="hard 3"),
    replace(record(3, actor=None), action=None, at=1990),
    record(4, interaction=72, actor=2, events="[" + '{"a":1},' * 500 + "1]"),
)
FIRST = (0, "")

_GUARDED = {
    "a record is kept until its log is packed": "DELETE FROM records WHERE match_id = 'over' AND seq = 1",
    "a record is never changed": "UPDATE records SET events = '[]' WHERE match_id = 'over'",
    "is never changed": "UPDATE packed_logs SET acts = '[]' WHERE match_id = 'packed'",
    "a packed log is kept as long as its match": "DELETE FROM packed_logs WHERE match_id = 'packed'",
    "only the log of a finished match is packed": "INSERT INTO packed_logs (match_id, guild_id, acts, log)"
    " SELECT 'live', guild_id, acts, log FROM packed_logs",
}
"""What the database refuses, and the statement."""


async def ended(store: Store, match_id: str = "m1", *, at: int = 8000) -> list[Record]:
    """A finished match of some acts; its log."""
    await opened(store, match_id)
    moves = [replace(each, match_id=match_id) for each in PLAYED]
    for each in moves[:-1]:
        await store.append(replace(each, interaction_id=None if match_id != "m1" else each.interaction_id), ())
    last = moves[-1] if match_id == "m1" else replace(moves[-1], interaction_id=None)
    await store.append(last, (), replace(result(match_id), ended_at=at))
    return await store.records(match_id)


async def next_log(store: Store) -> UnpackedLog:
    return await store.unpacked_log(FIRST, NEWEST) or pytest.fail("nothing is left to pack")


def made_of(log: UnpackedLog) -> PackedLog:
    return packed(log) or pytest.fail("it can't be packed")


class PackingContract:
    """Packed logs."""

    async def test_what_is_read_of_a_packed_log_is_what_it_was_without_its_interactions(self, store: Store) -> None:
        before = await ended(store)
        was = await store.result("m1")
        assert await pack_all(store) == ["m1"]
        after = await store.records("m1")
        assert after == [replace(each, interaction_id=None) for each in before]
        assert [each.chain for each in after] == [each.chain for each in before]
        assert await store.records("m1", 3) == after[3:]
        assert await store.records("m1", 9) == []
        ending = await store.result("m1") or pytest.fail("no result")
        assert (ending, ending.chain) == (was, after[-1].chain)
        assert first_altered("m1", after) is None

    async def test_a_press_is_known_until_its_log_is_packed(self, store: Store) -> None:
        await ended(store)
        await opened(store, "m2")
        await store.end_match(result("m2", ranks=(), counted=False), 73)
        assert [await store.match_of_interaction(press) for press in (71, 72, 73)] == ["m1", "m1", "m2"]
        await pack_all(store)
        assert [await store.match_of_interaction(press) for press in (71, 72, 73)] == [None] * 3

    async def test_logs_are_packed_in_the_order_in_which_their_matches_ended_and_none_twice(self, store: Store) -> None:
        for match_id, at in (("late", 8000), ("early", 6000), ("b", 7000), ("a", 7000), ("young", 9000)):
            await ended(store, match_id, at=at)
        await opened(store, "live")
        assert await pack_all(store, 8000) == ["early", "a", "b", "late"]
        assert await pack_all(store, 8000) == []
        assert (await next_log(store)).match_id == "young"

    async def test_a_log_that_was_packed_meanwhile_is_not_packed_again(self, store: Store) -> None:
        await ended(store)
        made = made_of(await next_log(store))
        await store.put_packed_log(made)
        before = await store.records("m1")
        await store.put_packed_log(made)
        assert await store.records("m1") == before

    async def test_a_log_whose_match_was_deleted_meanwhile_is_not_packed(self, store: Store) -> None:
        await ended(store)
        made = made_of(await next_log(store))
        await store.purge_guild(GUILD)
        await store.put_packed_log(made)
        assert await store.match("m1") is None
        assert await store.records("m1") == []

    async def test_a_log_that_is_not_the_packed_one_stays(self, store: Store) -> None:
        before = await ended(store)
        made = made_of(await next_log(store))
        with pytest.raises(Conflict):
            await store.put_packed_log(replace(made, records=made.records - 1))
        assert await store.records("m1") == before

    async def test_a_log_that_is_packed_though_its_result_denies_it_stays(self, store: Store) -> None:
        await ended(store)
        await pack_all(store)
        before = await store.records("m1")
        await store.database.write(
            lambda db: db.execute("UPDATE results SET packed = 0 WHERE match_id = 'm1' RETURNING packed").fetchall()
        )
        with pytest.raises(Conflict):
            await store.put_packed_log(made_of(await next_log(store)))
        assert await store.records("m1") == before

    async def test_an_altered_log_is_not_packed(self, store: Store) -> None:
        await ended(store)
        log = await next_log(store)
        changed = replace(log.records[2], events="[3]", chain=log.records[2].chain)
        assert packed(replace(log, records=(*log.records[:2], changed, *log.records[3:]))) is None
        assert packed(replace(log, records=log.records[:-1])) is None
        assert packed(replace(log, records=())) is None
        assert packed(replace(log, chain=bytes(32))) is None

    async def test_a_process_packs_the_logs_of_its_own_servers(self, store: Store) -> None:
        other = GUILD + (1 << 22)
        await played(store, "here", (1, 2), seats=(ANN, BOB))
        await played(store, "there", (1, 2), seats=(ANN, BOB), guild=other)
        for serves, wanted in ((GUILD, "here"), (other, "there")):
            store.serves = ShardRange((serves >> 22) % 2, (serves >> 22) % 2, 2)
            assert await pack_all(store) == [wanted]

    async def test_a_deleted_person_breaks_no_packed_log_and_a_purge_deletes_it(self, store: Store) -> None:
        before = await ended(store)
        await pack_all(store)
        await store.anonymise(GUILD, ANN, -7, {"m1"})
        after = await store.records("m1")
        assert [each.chain for each in after] == [each.chain for each in before]
        await store.purge_guild(GUILD)
        assert await store.records("m1") == []
        kept = await store.database.read(lambda db: db.execute("SELECT count(*) FROM packed_logs").fetchone())
        assert tuple(kept) == (0,)

    async def test_an_attempt_at_a_deal_of_the_day_has_as_many_acts_as_before(self, store: Store) -> None:
        tried = DailyQueries(store)
        for match_id, user, acts in (("a1", ANN, 3), ("a2", BOB, 0)):
            await attempted(store, match_id, user)
            for seq in range(1, acts + 1):
                await store.append(record(seq, match_id), ())
            await store.append(record(acts + 1, match_id, actor=1 if acts else None), (), result(match_id))
        before = await tried.attempts_on(GUILD, DAY)
        assert [each.acts for each in before] == [3, 0]
        assert sorted(await pack_all(store)) == ["a1", "a2"]
        assert await tried.attempts_on(GUILD, DAY) == before

    @pytest.mark.parametrize("said", _GUARDED)
    async def test_the_database_lets_nothing_else_take_records_away(self, store: Store, said: str) -> None:
        await ended(store, "packed")
        await pack_all(store)
        await ended(store, "over")
        await opened(store, "live")
        with pytest.raises(Exception, match=said):
            await store.database.write(lambda db: db.execute(_GUARDED[said]).fetchone())
        assert len(await store.records("over")) == len(await store.records("packed")) == 1 + len(PLAYED)
        assert await store.match("live") == match("live")
