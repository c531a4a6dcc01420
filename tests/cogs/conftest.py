"""New for each test: the parts of `bot.play`, those with what follows them on a fake of Discord's channels, and the bot
without Discord."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from bot.ui.screen import Screen
from cogs.screens import tables
from cogs.screens.tables import with_pictures
from tests.bot.play.parts import Parts
from tests.cogs.actions.offline_bot import OfflineBot
from tests.cogs.updates.following import Following


@pytest.fixture(autouse=True)
def _pictures_are_drawn_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What waits until nothing is left to do would not wait for a thread."""

    async def drawn(screen: Screen) -> Screen:
        return with_pictures(screen)

    monkeypatch.setattr(tables, "_drawn_elsewhere", drawn)


@pytest.fixture
async def parts() -> AsyncIterator[Parts]:
    made = Parts.fresh()
    try:
        yield made
    finally:
        await made.close()


@pytest.fixture
async def room() -> AsyncIterator[Following]:
    made = Following()
    try:
        yield made
    finally:
        await made.close()


@pytest.fixture
async def bot() -> AsyncIterator[OfflineBot]:
    made = OfflineBot()
    try:
        yield made
    finally:
        await made.close()
