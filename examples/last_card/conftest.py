"""The bot knows Last Card while its tests run, whether or not the package is installed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bot import games
from cardroom_last_card import PACKAGE


@pytest.fixture(scope="session", autouse=True)
def known() -> Iterator[None]:
    """Add the game as the bot does at its start."""
    games.add(PACKAGE, "this folder")
    yield
    games.remove(PACKAGE.game.info.key)
