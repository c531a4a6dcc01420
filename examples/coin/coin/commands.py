"""The command /coin and its button."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Final

from discord import app_commands

from bot.gateway.command_texts import Describe
from bot.play.refusals import translate_errors
from bot.ui.catalogue import Translations
from bot.ui.screen import Button, Press, Screen, Text
from cogs.actions.component_press import Capability, Command, ComponentPress, Verbs
from cogs.interactions.responses import Interaction, reply_private, translations_for
from cogs.interactions.venues import in_servers, server_of

from .queries import CoinQueries, Flips

SUBJECT: Final = "coin"
"""What the button acts on, in place of a match."""


@dataclass(slots=True, eq=False)
class Coin(Capability):
    """The command `/coin` and its button."""

    verbs = Verbs()

    queries: CoinQueries

    @verbs("coinagain")
    async def _again(self, press: ComponentPress) -> None:
        await self._flip(press.interaction)

    def _commands(self, say: Describe) -> tuple[Command, ...]:
        @in_servers
        @app_commands.command(name="coin", description=say("command.coin"))
        async def coin(interaction: Interaction) -> None:
            await self._flip(interaction)

        return (coin,)

    async def _flip(self, interaction: Interaction) -> None:
        """Flip a coin, and answer with it. Raises Refused outside of servers, and Unsaved."""
        heads = secrets.choice((True, False))
        counted = await translate_errors(self.queries.count(server_of(interaction), interaction.user.id, heads=heads))
        await reply_private(interaction, coin_screen(counted, translations_for(interaction), heads=heads), SUBJECT)


def coin_screen(counted: Flips, words: Translations, *, heads: bool) -> Screen:
    """What came up, and how often somebody's flips were heads."""
    sections = (
        Text(words("coin.heads" if heads else "coin.tails")),
        Text(words.count("coin.flips", counted.flips, heads=counted.heads)),
    )
    return Screen(words("coin.title"), sections, ((Button(words("button.coin_again"), Press("coinagain")),),))
