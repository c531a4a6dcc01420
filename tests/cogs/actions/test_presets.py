"""Presets of a server that several people save at once."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any, cast

from bot.play.refusals import Refused
from bot.play.server_settings import MOST_PRESETS, KnownServerSettings
from bot.time_controls import time_control
from bot.ui.catalogue import translations
from cogs.actions.challenging import SavedPresets
from cogs.screens.challenge_panel import Panel
from cogs.screens.custom_ids import TYPED
from tests.bot.store.memory_store import MemoryStore
from tests.bot.store.rows import ANN, GUILD


class Press:
    """A form that a host has sent, with the name of a preset."""

    def __init__(self, settings: KnownServerSettings, name: str) -> None:
        typed = {"components": [{"component": {"custom_id": TYPED, "value": name}}]}
        granted = SimpleNamespace(manage_guild=True)
        self.interaction = SimpleNamespace(guild_id=GUILD, permissions=granted, data=typed)
        self.server_id, self.user_id, self.words = GUILD, ANN, translations("en")
        self.arg = Panel.first(ANN, time_control("normal"), settings.of(GUILD).defaults_of).write()
        self.told = ""

    async def reply_text(self, text: str) -> None:
        self.told = text


async def saved(*names: str) -> tuple[list[str], list[object]]:
    """The presets there are once forms with these names were sent at once, and how each was refused."""
    settings = KnownServerSettings(MemoryStore(now=lambda: 1500), lambda: 1500)
    save = SavedPresets(settings).answers().verbs["savedas"]
    presses = [save(cast("Any", Press(settings, name))) for name in names]
    answers = await asyncio.gather(*presses, return_exceptions=True)
    return sorted(settings.of(GUILD).presets), [each for each in answers if each is not None]


async def test_no_more_are_saved_at_once_than_there_may_be() -> None:
    names = [f"preset {number:02}" for number in range(MOST_PRESETS + 2)]
    presets, (first, second) = await saved(*names)
    assert presets == names[:MOST_PRESETS]
    assert [cast("Refused", each).key for each in (first, second)] == ["preset.too_many"] * 2


async def test_one_name_is_saved_once_however_it_is_written() -> None:
    presets, refused = await saved("Blitz", "BLITZ")
    assert (presets, refused) == (["Blitz"], [])
