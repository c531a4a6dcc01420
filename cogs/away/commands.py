"""The command /away, and the buttons that pause a match and let it go on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from discord import app_commands

from bot.gateway.command_texts import Describe
from bot.play.live_match import LiveMatch
from bot.play.refusals import Refused, translate_errors
from bot.scheduler import begins_at
from bot.ui.catalogue import Translations
from bot.ui.screen import Button, Press, Rows, Screen, Text, Tone, noted
from cogs.actions.component_press import Capability, Command, ComponentPress, Verbs
from cogs.actions.playing import Hands
from cogs.away.keeper import AwayKeeper
from cogs.away.queries import DAYS_OFF, Absences, days_left, season_at
from cogs.interactions.responses import Interaction, reply_private, translations_for
from cogs.interactions.venues import direct_too
from cogs.screens.custom_ids import UnknownCustomId
from cogs.screens.presenter import Reader


@dataclass(slots=True, eq=False)
class Away(Capability):
    """The command `/away` and its buttons."""

    verbs = Verbs()

    keeper: AwayKeeper
    absences: Absences
    now: Callable[[], int]

    def _commands(self, say: Describe) -> tuple[Command, ...]:
        @direct_too
        @app_commands.command(name="away", description=say("command.away"))
        @app_commands.describe(days=say("option.days"))
        async def away(interaction: Interaction, days: app_commands.Range[int, 1, DAYS_OFF] | None = None) -> None:
            if days is not None:
                await self._leave(interaction.user.id, days)
            await self._show(interaction)

        return (away,)

    @verbs("awayfor")
    async def _choose(self, press: ComponentPress) -> None:
        if press.arg not in {str(days) for days in range(1, DAYS_OFF + 1)}:
            raise UnknownCustomId("no such number of days")
        await self._leave(press.user_id, int(press.arg))
        await self._show(press.interaction)

    @verbs("back")
    async def _back(self, press: ComponentPress) -> None:
        """A repeated press reads the same as the first."""
        await self.keeper.come_back(press.user_id)
        await self._show(press.interaction, press.words("away.welcome"))

    async def _leave(self, user_id: int, days: int) -> None:
        """Raises Refused if there are not as many days off left."""
        if await self.keeper.leave(user_id, days) is None:
            left = days_left(await translate_errors(self.absences.of_user(user_id)), self.now())
            raise Refused("away.too_many", left=left)

    async def _show(self, interaction: Interaction, note: str = "") -> None:
        now = self.now()
        known = await translate_errors(self.absences.of_user(interaction.user.id))
        until = next((each.until_at for each in known if each.until_at > now), None)
        ends = begins_at(season_at(now).stop)
        screen = away_screen(until, days_left(known, now), ends, translations_for(interaction), note)
        await reply_private(interaction, screen, SUBJECT)


@dataclass(slots=True, eq=False)
class Resting(Capability):
    """The buttons *Pause* and *Go on*, behind *More…* of a slow match."""

    verbs = Verbs()

    hands: Hands

    @verbs("rest")
    async def _rest(self, press: ComponentPress) -> None:
        match, seat = await self.hands.seated(press, press.target)
        if not match.can_stand or match.inactive:
            raise Refused("refusal.match_over" if match.over else "rest.not_now")
        await translate_errors(match.agree_to_rest(seat))
        press.changes.note_changed(match)
        until = match.rests_until
        say = press.words
        await press.reply_text(say("rest.asked") if until is None else say("rest.begun", when=shown(until)))

    @verbs("goon")
    async def _go_on(self, press: ComponentPress) -> None:
        match, _ = await self.hands.seated(press, press.target)
        if await translate_errors(match.end_rest()):
            press.changes.note_changed(match)
        await press.reply_text(press.words("rest.ended"))


SUBJECT: Final = "away"
"""What the buttons of the screen act on, in place of a match."""


def away_screen(until: int | None, left: int, ends: int, words: Translations, note: str = "") -> Screen:
    """Until when the reader is away (None: they aren't), how many days off are left until the season `ends` (ms UTC),
    and what there is to press. The note comes first."""
    when = f"<t:{ends // 1000}:D>"
    told = [words("away.now", when=shown(until))] if until is not None else []
    told.append(words.count("away.left", left, when=when))
    days = tuple(Button(words.count("clock.days", each), Press("awayfor", 0, str(each))) for each in range(1, left + 1))
    row = (Button(words("away.back"), Press("back"), Tone.MAIN),) if until is not None else days
    rows: Rows = (row,) if row else ()
    return Screen(words("away.title"), (*noted(note), Text("\n".join(told)), Text(words("away.about"))), rows)


def shown(until: int) -> str:
    """A moment (ms UTC), as everybody sees it by their own clock."""
    return f"<t:{until // 1000}:f>"


def rest_button(match: LiveMatch, reader: Reader) -> tuple[Button, ...]:
    """Pauses a slow match by agreement, or lets it go on."""
    if not match.can_stand or match.inactive:
        return ()
    if match.rests_until is not None:
        return (Button(reader.words("button.go_on"), Press("goon")),)
    return (Button(reader.words("button.rest"), Press("rest")),)
