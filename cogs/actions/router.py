"""The router: every press of a component passes through here once, whatever its id.

The library's own views are not used: all state is in the id and the store. So a button works after a restart, and a
press with an unknown id is answered, not dropped.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bot import logs
from bot.play.match_press import MatchPresses
from bot.play.match_registry import MatchRegistry
from bot.play.refusals import Refused, translate_errors
from cogs.actions.component_press import ComponentPress, Room, all_verbs
from cogs.interactions import responses
from cogs.interactions.responses import Interaction, translations_for
from cogs.screens import custom_ids
from cogs.wording import Wording


class Router:
    """Reads each press, takes it up, and lets its verb answer. It knows no capability by name."""

    def __init__(self, rooms: Sequence[Room], presses: MatchPresses, matches: MatchRegistry, wording: Wording) -> None:
        self._verbs = all_verbs(rooms)
        self._presses = presses
        self._matches = matches
        self._wording = wording

    async def on_press(self, interaction: Interaction) -> None:
        """Answer a press of a component, or a submitted form."""
        try:
            await self._answer(interaction)
        except custom_ids.UnknownCustomId:
            await self._say(interaction, "press.unknown")
        except Refused as refused:
            await self._say(interaction, refused.key, **refused.values)
        except Exception as error:  # noqa: BLE001  whatever happens inside, the press is answered
            number = logs.log_error(error, "answering a press", interaction.client.telemetry)
            await self._say(interaction, "error.number", number=number)

    async def _say(self, interaction: Interaction, key: str, **values: Any) -> None:
        await responses.reply_text(interaction, translations_for(interaction)(key, **values))

    async def _answer(self, interaction: Interaction) -> None:
        target, read = custom_ids.read_press(dict(interaction.data or {}))
        verb = self._verbs.get(read.verb)
        if verb is None:
            raise custom_ids.UnknownCustomId("no such verb")
        with self._presses.take_up(target, interaction.id) as changes:
            await translate_errors(self._matches.bring_in(interaction.user.id, target))
            await self._wording.remember_names(interaction)
            await translate_errors(verb(ComponentPress(interaction, target, read.verb, read.window, read.arg, changes)))
