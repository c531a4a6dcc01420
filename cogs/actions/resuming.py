"""Presses that resume a suspended match."""

from __future__ import annotations

from dataclasses import dataclass

from bot.play.live_match import LiveMatch
from bot.play.match_lifecycle import MatchLifecycle
from bot.play.refusals import NotAllCanPlay, Refused
from bot.play.server_settings import KnownServerSettings
from cogs.actions.challenging import check_place
from cogs.actions.component_press import Capability, ComponentPress, Verbs
from cogs.actions.match_list import LISTED, MatchList
from cogs.actions.playing import Hands
from cogs.wording import Readers
from engines.game import Seat


@dataclass(slots=True, eq=False)
class Resuming(Capability):
    """What the button *Resume here* does."""

    verbs = Verbs()

    hands: Hands
    readers: Readers
    match_list: MatchList
    server_settings: KnownServerSettings
    lifecycle: MatchLifecycle

    @verbs("resume")
    async def _resume(self, press: ComponentPress) -> None:
        """Resume a suspended match where this was pressed. The first of several presses does it.

        In the list of `/games` the list stays, because others in it may be resumed too.
        """
        match, seat = await self.hands.seated(press, press.arg)
        say = press.words
        try:
            resumed = await self._resume_here(press, match, seat)
        except NotAllCanPlay as refused:
            reader = await self.readers.pressing(press.interaction, match, seat)
            raise Refused(refused.key, player=reader.names[refused.seat]) from None
        note = say("resume.done") if resumed else say("resume.already", channel=f"<#{match.channel_id}>")
        if press.target == LISTED:
            screen = await self.match_list.screen(press.interaction, 0, note)
            await press.reply(screen, LISTED)
        else:
            await self.hands.show(press, match, seat, note=note)

    async def _resume_here(self, press: ComponentPress, match: LiveMatch, seat: Seat) -> bool:
        """Resume the match here, if it is suspended; return whether this press did it.

        Raises Refused if no match can be played here, NotAllCanPlay if somebody cannot follow it here, and Unsaved.
        """
        if match.over:
            raise Refused("match.over")
        if match.suspended is None:
            return False
        guild_id, channel_id = await check_place(self.server_settings, press.interaction)
        if guild_id != match.guild_id:
            raise Refused("match.unknown")
        return await self.lifecycle.resume(match, channel_id, seat, press.changes)
