"""Deletes what is stored about a person in a server. The core does it, by the columns of all tables
(`bot.store.queries.deleting`)."""

from __future__ import annotations

import secrets
from collections.abc import Iterable

from bot.play.refusals import Refused, translate_errors
from bot.scheduler import ends_at
from bot.store.errors import Conflict
from bot.store.queries.matches import MatchRow
from bot.store.special_ids import is_chat, is_direct
from bot.store.store import Store


async def check_day(store: Store, guild_id: int, user_id: int, today: int) -> None:
    """Raise Refused if somebody has played a match of the day `today` or later. If they could be forgotten before that
    day ends, they could play its deal twice."""
    _check_days(await store.matches_of(guild_id, user_id), today)


def _check_days(played: Iterable[MatchRow], today: int) -> None:
    days = [row.day for row in played if row.day is not None and row.day >= today]
    if days:
        raise Refused("mydata.daily", when=f"<t:{ends_at(max(days)) // 1000}:R>")


async def forget(store: Store, guild_id: int, user_id: int, today: int = 0) -> None:
    """Replace somebody by a random number in everything stored about a server, and delete what they prefer everywhere.

    Raises Refused while they have an open match or invitation, and if they have tried a deal of the day `today` or
    later. Raises Unsaved.
    """
    played = await store.matches_of(guild_id, user_id)
    _check_days(played, today)
    known = {row.id for row in played}
    marker = -1 - secrets.randbits(62)  # Discord's ids are positive, so this is nobody's
    try:
        await translate_errors(store.anonymise(guild_id, user_id, marker, known))
        if is_direct(guild_id) and not is_chat(
            guild_id
        ):  # it is stored under their own id, and nobody else played there
            await translate_errors(store.purge_guild(guild_id))
    except Conflict:
        raise Refused("mydata.playing") from None
