"""Which servers belong to which shards, and what a setting may say of them."""

from __future__ import annotations

import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.shard_range import EVERYTHING, MOST_SHARDS, ShardRange, read_ranges, shard_of
from bot.store.queries.database import served_by
from tests.bot.store.rows import GUILD

SNOWFLAKES = st.integers(0, 2**63 - 1)


@given(SNOWFLAKES, st.integers(1, MOST_SHARDS))
def test_a_server_belongs_to_the_shard_that_discord_says(guild_id: int, total: int) -> None:
    shard = (guild_id >> 22) % total
    assert shard_of(guild_id, total) == shard
    assert ShardRange(shard, shard, total).includes(guild_id)
    assert EVERYTHING.includes(guild_id)


@given(SNOWFLAKES, st.integers(1, MOST_SHARDS))
def test_direct_messages_belong_to_shard_0(user_id: int, total: int) -> None:
    assert shard_of(-user_id - 1, total) == 0


def test_the_databases_word_on_it_is_the_same() -> None:
    db = sqlite3.connect(":memory:")
    guilds = [GUILD, GUILD + (1 << 22), 0, 1, -1, -GUILD, 2**63 - 1, -(2**63) + 1, *(each << 22 for each in range(40))]
    for total in (2, 3, 7, 64, MOST_SHARDS):
        for serves in (ShardRange(0, 0, total), ShardRange(1, total - 1, total), ShardRange(0, total - 1, total)):
            here = served_by(serves, "id") or "1"
            for guild_id in guilds:
                (said,) = db.execute(f"SELECT {here} FROM (SELECT ? AS id)", (guild_id,)).fetchone()
                assert bool(said) == serves.includes(guild_id)
    db.close()


def test_what_a_range_is_called_is_what_reads_it() -> None:
    for serves in (ShardRange(0, 15, 64), ShardRange(3, 3, 4)):
        assert read_ranges(str(serves)) == (serves,)


@pytest.mark.parametrize("bounds", [(1, 0, 2), (0, 2, 2), (-1, 0, 2), (0, 0, MOST_SHARDS + 1)])
def test_what_is_no_range_is_refused(bounds: tuple[int, int, int]) -> None:
    with pytest.raises(ValueError, match="no range"):
        ShardRange(*bounds)


def test_shares_of_a_bot_add_up() -> None:
    assert sum(each.share for each in read_ranges("0-15,16-31,32-63/64")) == 1
    assert EVERYTHING.share == 1
