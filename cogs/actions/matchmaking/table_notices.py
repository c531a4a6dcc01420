"""Who is notified when a table opens: of which games, and in which hours they are not.

A button under `/notify` and `/play` opens the screen. Nobody is notified of a table before they ask for it here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

from bot.games import GAMES
from bot.play.matchmaking.quiet_hours import QUIET_HOURS, UTC_OFFSET, Hours, QuietHours, offset_of
from bot.play.refusals import saved
from bot.store.store import Store
from bot.ui.catalogue import Translations
from bot.ui.screen import Button, Control, Option, Press, Screen, Section, Select, Text, Tone, noted
from cogs.actions.component_press import Capability, ComponentPress, Verbs
from cogs.screens.custom_ids import UnknownCustomId
from cogs.screens.renderer import chunks

SUBJECT: Final = "tables"
"""What the controls of the screen act on, in place of a match."""
NO_HOURS: Final = "none"
"""What the list of quiet hours has for none."""
OFFERED_HOURS: Final = tuple(
    Hours(start, end) for start, end in (*product((20, 21, 22, 23, 0), (6, 7, 8, 9)), (8, 16), (9, 17), (9, 18))
)
UNSAVED: Final = "notify.unsaved"


@dataclass(slots=True, eq=False)
class TableNoticePresses(Capability):
    """What the controls of the screen do."""

    verbs = Verbs()

    store: Store
    now: Callable[[], int]

    @verbs("tableson", "tablesoff")
    async def _choose_game(self, press: ComponentPress) -> None:
        if press.arg not in GAMES:
            raise UnknownCustomId("no such game")
        given, wanted = (press.server_id, press.user_id, press.arg), press.verb == "tableson"
        await saved(self.store.set_table_subscription(*given, wanted=wanted), UNSAVED)
        await self._show(press)

    @verbs("owntime")
    async def _choose_time(self, press: ComponentPress) -> None:
        if press.arg not in set(map(str, range(24))):
            raise UnknownCustomId("no hour")
        ahead = offset_of(int(press.arg), self.now())
        await saved(self.store.set_preference(press.user_id, UTC_OFFSET, str(ahead)), UNSAVED)
        await self._show(press)

    @verbs("quiet")
    async def _choose_hours(self, press: ComponentPress) -> None:
        if press.arg != NO_HOURS and Hours.read(press.arg) not in OFFERED_HOURS:
            raise UnknownCustomId("no such hours")
        hours = "" if press.arg == NO_HOURS else press.arg
        await saved(self.store.set_preference(press.user_id, QUIET_HOURS, hours), UNSAVED)
        await self._show(press)

    @verbs("tables")
    async def _show(self, press: ComponentPress) -> None:
        user, guild_id = press.user_id, press.server_id
        wanted = await self.store.table_subscriptions(guild_id, user)
        quiet = QuietHours.of((await self.store.preferences([user])).get(user, {}))
        note = "" if press.verb == "tables" else press.words("notify.saved")
        screen = table_notices_screen(wanted, quiet, self.now(), press.words, note)
        await press.reply(screen, SUBJECT)


def table_notices_screen(
    wanted: Collection[str], quiet: QuietHours, now: int, say: Translations, note: str = ""
) -> Screen:
    """Of which games somebody is notified, in which hours not, and what changes that. `now` is in ms UTC.

    Every button keeps its place and its width; that of a game which is on is marked.
    """
    listed = " · ".join(game.info.title for key, game in GAMES.items() if key in wanted)
    state = say("tables.on", games=listed) if listed else say("tables.off")
    sections: tuple[Section, ...] = (
        *noted(note),
        Text(f"{say('tables.how')}\n**{state}**"),
        Text(_told_hours(quiet, now, say)),
    )
    buttons = [_game_button(key, say, on=key in wanted) for key in GAMES]
    return Screen(say("tables.title"), sections, (*chunks(buttons), *_lists(quiet, now, say)))


def _game_button(game: str, say: Translations, *, on: bool) -> Button:
    label = say("notify.chosen" if on else "notify.other", level=GAMES[game].info.title)
    return Button(label, Press("tablesoff" if on else "tableson", 0, game), Tone.MAIN if on else Tone.PLAIN)


def _told_hours(quiet: QuietHours, now: int, say: Translations) -> str:
    """The quiet hours as timestamps, which everybody reads in their own time."""
    when = quiet.next(now)
    if when is None:
        return say("tables.any_hour" if quiet.ahead is not None else "tables.needs_time")
    start, end = (f"<t:{moment // 1000}:t>" for moment in when)
    return say("tables.quiet_from", start=start, end=end)


def _lists(quiet: QuietHours, now: int, say: Translations) -> Sequence[tuple[Control, ...]]:
    """What time it is for the reader, and their quiet hours, which can be chosen once that is known."""
    here = quiet.hour(now)
    times = tuple(Option(say("tables.hour", hour=hour), str(hour), chosen=hour == here) for hour in range(24))
    none = Option(say("tables.no_hours"), NO_HOURS, chosen=quiet.hours is None and here is not None)
    hours = tuple(
        Option(say("tables.hours", start=each.start, end=each.end), each.write(), chosen=each == quiet.hours)
        for each in OFFERED_HOURS
    )
    return (
        (Select(Press("owntime"), say("tables.your_time"), times),),
        (Select(Press("quiet"), say("tables.quiet_hours"), (none, *hours), enabled=here is not None),),
    )
