"""Names are read from memory, and the newest that the bot has heard stays there."""

from __future__ import annotations

from collections.abc import Sequence

from bot.ui.display_names import DisplayNames
from tests.bot.store.memory_store import MemoryStore

GUILD, ANN = 1, 11


async def test_a_name_that_is_heard_while_it_is_loaded_is_the_newer() -> None:
    class SlowStore(MemoryStore):
        async def names(self, guild_id: int, user_ids: Sequence[int]) -> dict[int, str]:
            found = await super().names(guild_id, user_ids)
            await names.remember(GUILD, ANN, "Ann the Second")
            return found

    store = SlowStore(now=lambda: 0)
    names = DisplayNames(store)
    for again in (False, True):
        await store.set_name(GUILD, ANN, "Ann")
        names.forget(GUILD, ANN)
        await names.load(GUILD, [ANN], again=again)
        assert names.name(GUILD, ANN) == "Ann the Second"
