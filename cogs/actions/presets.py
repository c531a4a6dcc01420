"""A server's own presets: who may host there saves what the panel of a challenge shows, under a name."""

from __future__ import annotations

from dataclasses import dataclass

from bot.play.refusals import Refused, checked_options
from bot.play.server_settings import MOST_PRESETS, PRESETS, KnownServerSettings
from cogs.actions.component_press import Capability, ComponentPress, Verbs
from cogs.actions.hosting import check_may_host
from cogs.interactions.responses import open_form
from cogs.screens import custom_ids
from cogs.screens.challenge_panel import Panel, preset_form
from cogs.screens.safe_names import plain_title, safe_title


@dataclass(slots=True, eq=False)
class SavedPresets(Capability):
    """*Save as…* on the panel, and the form that it opens. What is saved is a setting of the server."""

    verbs = Verbs()

    server_settings: KnownServerSettings

    @verbs("saveas")
    async def _ask(self, press: ComponentPress) -> None:
        check_may_host(self.server_settings, press.interaction)
        if not await open_form(press.interaction, preset_form(Panel.read(press.arg), press.words), press.target):
            await press.reply_text(press.words("press.form_late"))

    @verbs("savedas")
    async def _save(self, press: ComponentPress) -> None:
        """Save a preset, in place of one of that name. Raises Refused with the reason if that is not possible."""
        check_may_host(self.server_settings, press.interaction)
        panel = Panel.read(press.arg)
        typed = plain_title(custom_ids.read_typed(dict(press.interaction.data or {})))
        if not typed:
            raise Refused("preset.no_name")
        with checked_options():
            panel.chosen()
        known = self.server_settings.of(press.server_id).presets
        name = next((each for each in known if each.casefold() == typed.casefold()), typed)
        if name not in known and len(known) >= MOST_PRESETS:
            raise Refused("preset.too_many", most=MOST_PRESETS)
        value = panel.named(name).write()
        await self.server_settings.change(press.server_id, press.user_id, f"{PRESETS}{name}", value)
        await press.reply_text(press.words("preset.saved", name=safe_title(name)))
