"""How a person wants it: /preferences, how things look everywhere, and /notify, how they are notified."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from discord import app_commands

from bot.gateway.command_texts import Describe
from bot.play.refusals import translate_errors
from bot.store.queries.people import NoticeLevel
from bot.store.store import Store
from bot.ui.preferences import CardStyle, Preferences
from cogs.actions.command_parameters import choices
from cogs.actions.component_press import Capability, Command, ComponentPress, Verbs
from cogs.interactions.responses import Interaction, reply_private, translations_for
from cogs.interactions.venues import direct_too, in_servers, server_of
from cogs.preferences import screens
from cogs.screens.additions import Buttons, Placed, arranged
from cogs.screens.cards.forms import CardForms
from cogs.screens.custom_ids import UnknownCustomId
from cogs.updates.open_hands import StyledHands
from cogs.updates.quiet_hours import QUIET_HOURS, UTC_OFFSET, Hours, QuietHours, offset_of


@dataclass(slots=True, eq=False)
class PreferencesScreen(Capability):
    """The command `/preferences` and its buttons."""

    verbs = Verbs()

    preferences: Preferences
    card_forms: CardForms
    styled_hands: StyledHands

    def _commands(self, say: Describe) -> tuple[Command, ...]:
        @direct_too
        @app_commands.command(name="preferences", description=say("command.preferences"))
        @app_commands.describe(cards=say("option.cards"))
        @app_commands.choices(
            cards=choices((say(f"preferences.button.{style.value}"), style.value) for style in CardStyle)
        )
        async def preferences(interaction: Interaction, cards: app_commands.Choice[str] | None = None) -> None:
            await self._answer(interaction, CardStyle(cards.value) if cards else None)

        return (preferences,)

    @verbs("cardstyle")
    async def _choose(self, press: ComponentPress) -> None:
        """Save the style of a pressed button. Raises as `_answer`, and UnknownCustomId for an unknown style."""
        if press.arg not in {each.value for each in CardStyle}:
            raise UnknownCustomId("no such style")
        await self._answer(press.interaction, CardStyle(press.arg))

    async def _answer(self, interaction: Interaction, style: CardStyle | None) -> None:
        """Save the style, if one is given, and show which one applies, with an example of each and a button for it.

        Hands that are open are shown in it at once. Raises Refused if it could not be saved.
        """
        say, user_id = translations_for(interaction), interaction.user.id
        await translate_errors(self.preferences.load((user_id,)))
        if style is not None:
            await translate_errors(self.preferences.set_card_style(user_id, style))
        note = say("settings.saved") if style is not None else ""
        screen = screens.preferences_screen(self.preferences.card_style(user_id), self.card_forms, say, note)
        await reply_private(interaction, screen, screens.SUBJECT)
        if style is not None:
            self.styled_hands.show(user_id)


@dataclass(slots=True, eq=False)
class Notify(Capability):
    """The command `/notify` and its buttons."""

    verbs = Verbs()

    store: Store
    added: Placed[Buttons]
    """What other rooms offer on its screen."""
    now: Callable[[], int]

    def _commands(self, say: Describe) -> tuple[Command, ...]:
        @in_servers
        @app_commands.command(name="notify", description=say("command.notify"))
        @app_commands.describe(level=say("option.level"))
        @app_commands.choices(level=choices((say(f"notify.button.{level}"), str(level)) for level in NoticeLevel))
        async def notify(interaction: Interaction, level: app_commands.Choice[str] | None = None) -> None:
            await self._answer(interaction, NoticeLevel(level.value) if level else None)

        return (notify,)

    @verbs("notify")
    async def _choose(self, press: ComponentPress) -> None:
        """Save the level of a pressed button. Raises as `_answer`, and UnknownCustomId for an unknown level."""
        if press.arg not in set(NoticeLevel):
            raise UnknownCustomId("no such level")
        await self._answer(press.interaction, NoticeLevel(press.arg))

    @verbs("owntime")
    async def _choose_time(self, press: ComponentPress) -> None:
        ahead = offset_of(_hour(press), self.now())
        await translate_errors(self.store.set_preference(press.user_id, UTC_OFFSET, str(ahead)))
        await self._show(press.interaction, saved=True)

    @verbs("quiet")
    async def _choose_hours(self, press: ComponentPress) -> None:
        if press.arg != screens.NO_HOURS and Hours.read(press.arg) not in screens.OFFERED_HOURS:
            raise UnknownCustomId("no such hours")
        hours = "" if press.arg == screens.NO_HOURS else press.arg
        await translate_errors(self.store.set_preference(press.user_id, QUIET_HOURS, hours))
        await self._show(press.interaction, saved=True)

    @verbs("digest")
    async def _choose_digest(self, press: ComponentPress) -> None:
        """Save at which hour of their own clock somebody wants their digest. Without their time nothing can be saved,
        and the list is not enabled."""
        hour, ahead = _hour(press), (await self._quiet(press.user_id)).ahead
        if ahead is not None:
            await translate_errors(self.store.set_digest_hour(press.user_id, (hour - ahead) % 24))
        await self._show(press.interaction, saved=ahead is not None)

    async def _answer(self, interaction: Interaction, level: NoticeLevel | None) -> None:
        """Save the level, if one is given, and show which level applies.

        Raises Refused outside servers, and if the level could not be saved.
        """
        if level is not None:
            guild_id, user_id = server_of(interaction), interaction.user.id
            await translate_errors(self.store.set_notice_level(guild_id, user_id, level))
        await self._show(interaction, saved=level is not None)

    async def _show(self, interaction: Interaction, *, saved: bool) -> None:
        """Show how somebody is notified, with what changes it. Raises Refused outside servers."""
        guild_id, user_id, say = server_of(interaction), interaction.user.id, translations_for(interaction)
        level = await self.store.notice_level(guild_id, user_id)
        digest = await self.store.digest(user_id) if level is NoticeLevel.DIGEST else None
        present = screens.Notified(level, await self._quiet(user_id), digest)
        added, note = arranged((), self.added, say), say("settings.saved") if saved else ""
        await reply_private(
            interaction, screens.notify_screen(present, self.now(), say, note, added), screens.NOTIFY_SUBJECT
        )

    async def _quiet(self, user_id: int) -> QuietHours:
        return QuietHours.of((await self.store.preferences([user_id])).get(user_id, {}))


def _hour(press: ComponentPress) -> int:
    """The hour of a day that was chosen. Raises UnknownCustomId for anything else."""
    if press.arg not in set(map(str, range(24))):
        raise UnknownCustomId("no hour")
    return int(press.arg)
