"""The second yardstick: discord.py's own ways of making the requests that Cardroom makes for a press, and no game.

A press is seldom one request: a move is saved, the other player's hand and the board are edited, and a hand that was
opened anew closes the older message. So of ten presses three are saved in SQLite before they are answered, each is
answered with a message the size of a hand, and after seven an earlier answer is edited (`SAVED`, `EDITED`;
`tests.bench.interactions` prints how many requests Cardroom makes). It takes its token and Discord's address from where
ours takes them.
"""

from __future__ import annotations

import os
from collections import deque
from itertools import count
from pathlib import Path
from typing import Final

import aiosqlite
import discord
from discord.http import Route

from tests.bench.bare_bot import BareBot

SAVED: Final = frozenset({0, 3, 6})
EDITED: Final = frozenset({0, 1, 3, 4, 6, 7, 9})
"""The last digits of the presses' numbers."""
CARDS: Final = tuple(f"○ {rank}♠" for rank in (2, 3, 4, 5, 7, 8, 9, 10))
TEXT: Final = "### Haymaker · Your hand\nBob attacks with `7♠`. You need 7 to block.\n> Alice took the hit.\n" * 3


class LibraryBot(BareBot):
    """Answers with a hand."""

    def __init__(self) -> None:
        super().__init__()
        self._numbers = count()
        self._earlier: deque[discord.Interaction[discord.Client]] = deque(maxlen=64)
        self._database: aiosqlite.Connection

    async def setup_hook(self) -> None:
        """Open the database."""
        path = Path(os.environ["CARDROOM_DATA_DIR"]) / "library.db"
        self._database = await aiosqlite.connect(path, isolation_level=None)
        await self._database.execute("PRAGMA journal_mode = WAL")
        await self._database.execute("PRAGMA synchronous = FULL")
        await self._database.execute("CREATE TABLE move (interaction INTEGER PRIMARY KEY, event TEXT) STRICT")

    async def on_interaction(self, interaction: discord.Interaction[discord.Client]) -> None:
        """Save, answer, edit."""
        digit = next(self._numbers) % 10
        if digit in SAVED:
            await self._database.execute("INSERT INTO move VALUES (?, ?)", (interaction.id, TEXT))
        await interaction.response.send_message(view=hand(), ephemeral=True)
        if digit in EDITED and self._earlier:
            await self._earlier.popleft().edit_original_response(view=hand())
        self._earlier.append(interaction)


def hand() -> discord.ui.LayoutView:
    """A message of about the size of Haymaker's hands."""
    view = discord.ui.LayoutView(timeout=None)
    container: discord.ui.Container[discord.ui.LayoutView] = discord.ui.Container(discord.ui.TextDisplay(TEXT))
    for row in (CARDS[:4], CARDS[4:], ("Clear",), ("Attack",)):
        buttons = [
            discord.ui.Button[discord.ui.LayoutView](label=label, custom_id=f"g1:x:1:p:{label}") for label in row
        ]
        container.add_item(discord.ui.ActionRow(*buttons))
    view.add_item(container)
    view.stop()
    return view


if __name__ == "__main__":
    Route.BASE = os.environ["DISCORD_API_BASE"]
    LibraryBot().run(os.environ["DISCORD_TOKEN"], log_handler=None)
