"""Packs logs as `bot.play.log_packing` does, but at once."""

from __future__ import annotations

from bot.store.queries.database import NEWEST
from bot.store.queries.packing import packed
from bot.store.store import Store


async def pack_all(store: Store, until: int = NEWEST) -> list[str]:
    """Pack the logs of all matches that ended until a moment (ms UTC). Returns which, in their order."""
    after, ids = (0, ""), list[str]()
    while (log := await store.unpacked_log(after, until)) is not None:
        after = (log.ended_at, log.match_id)
        made = packed(log)
        if made is not None:
            await store.put_packed_log(made)
            ids.append(log.match_id)
    return ids
