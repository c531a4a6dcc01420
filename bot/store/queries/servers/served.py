"""Which rows belong to the servers of a range of shards."""

from __future__ import annotations

from bot.shard_range import ShardRange


def here(serves: ShardRange, column: str = "guild_id") -> str:
    """A condition on a server's id: that it belongs to a range (`ShardRange.includes`). Empty for a range of all
    servers, whose statements stay what they are without one."""
    if serves.is_everything:
        return ""
    return f"{shard(serves, column)} BETWEEN {serves.first:d} AND {serves.last:d}"


def only(serves: ShardRange, column: str = "guild_id") -> str:
    """The same as the end of a WHERE clause."""
    return f" AND {here(serves, column)}" if here(serves, column) else ""


def where(serves: ShardRange, column: str = "guild_id") -> str:
    """The same as a WHERE clause of its own."""
    return f" WHERE {here(serves, column)}" if here(serves, column) else ""


def shard(serves: ShardRange, column: str = "guild_id") -> str:
    """The shard of a server's id, as an expression. The remainder is written without a percent sign, which drivers of
    databases may take for a placeholder."""
    number = f"({column} >> 22)"
    return f"CASE WHEN {column} < 0 THEN 0 ELSE {number} - {number} / {serves.total:d} * {serves.total:d} END"
