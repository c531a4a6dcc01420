"""The room of leagues on parts, at its start."""

from __future__ import annotations

import pytest

from tests.bot.play.parts import Parts
from tests.cogs.leagues.directed import Directed


@pytest.fixture
async def directed(parts: Parts) -> Directed:
    made = Directed(parts)
    await made.director.resume()
    return made
