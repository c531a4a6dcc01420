"""Reads leagues for screens and for the one public message of each (`cogs.updates.public_messages`), and has people
reminded."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from bot.games import game_title
from bot.play.match_registry import MatchRegistry
from bot.play.matchmaking.invitations import Invitations
from bot.store.special_ids import message_link
from bot.ui.catalogue import Translations
from cogs.leagues.leagues import Leagues
from cogs.leagues.queries import League, Whole
from cogs.leagues.screens import SUBJECT, View, public_screen
from cogs.screens.board import board_link
from cogs.updates.channel_messages import NotTaken
from cogs.updates.edit_queue import EditQueue, Priority
from cogs.updates.notifier import Kind, Notifier, notice_for
from cogs.updates.public_messages import PublicMessage
from cogs.wording import Wording

_log = logging.getLogger(__name__)

REMINDER: Final = Kind("league", "league.reminder", "league.reminder_there")


@dataclass(slots=True, eq=False)
class Looking:
    """Reads leagues with all that their screens need."""

    matches: MatchRegistry
    invitations: Invitations
    wording: Wording

    async def view(self, whole: Whole, words: Translations) -> View:
        """A league as a reader of these words sees it."""
        league = whole.league
        host = () if league.host_id is None else (league.host_id,)
        members, places = [each.user_id for each in whole.members], [each.user_id for each in whole.places]
        users = tuple(dict.fromkeys((*host, *members, *places)))
        names = dict(zip(users, await self.wording.loaded(league.guild_id, users, words), strict=True))
        links = {each.id: link for each in whole.offers if not each.is_over and (link := self.link(each.id))}
        return View(whole, names, links)

    def link(self, offer_id: str) -> str:
        """The address of a match's board, or of an open challenge; empty while there is none."""
        match, asked = self.matches.unfinished(offer_id), self.invitations.open_by_id(offer_id)
        if match is not None:
            return "" if match.board_id is None else board_link(match)
        if asked is None or asked.message_id is None:
            return ""
        return message_link(asked.guild_id, asked.channel_id, asked.message_id)


@dataclass(slots=True, eq=False)
class LeagueMessages:
    """What the public messages of leagues show, and of what people are reminded."""

    leagues: Leagues
    looking: Looking
    edits: EditQueue
    notifier: Notifier
    wording: Wording

    async def read(self, guild_id: int, league_id: str) -> PublicMessage:
        """What the message of a league shows now. Raises Refused, Unsaved and StoreError."""
        whole = await self.leagues.whole(guild_id, league_id)
        league, words = whole.league, self.wording.of_server(guild_id)
        view = await self.looking.view(whole, words)
        current = [now for each in whole.pairings if each.how is None and (now := view.current(each)) is not None]
        return PublicMessage(
            league_id,
            guild_id,
            league.channel_id,
            league.message_id,
            league.created_at,
            league.changed_at,
            public_screen(view, words),
            frozenset(each.id for each in current if not (each.in_play and each.id in view.links)),
        )

    async def note(self, shown: PublicMessage, message_id: int) -> bool:
        """Record the message that shows a league, unless it was moved to another channel meanwhile."""
        return await self.leagues.note_message(shown.guild_id, shown.id, shown.channel_id, message_id)

    def remind(self, league: League, pairs: Sequence[tuple[int, int]]) -> None:
        """Remind people once who have not played each other in this week."""
        for user, other in [both for pair in pairs for both in (pair, pair[::-1])]:
            tell = partial(self._tell, league, user, other)
            self.edits.request_edit(("notice", league.channel_id), (SUBJECT, league.id, user), tell, Priority.NOTICE)

    async def _tell(self, league: League, user: int, other: int) -> int:
        """Remind somebody. Returns how many requests that took."""
        guild_id = league.guild_id
        words = await self.wording.of_person(guild_id, user)
        (player,) = await self.wording.loaded(guild_id, (other,), words)
        venue = guild_id, league.channel_id
        link, when = message_link(*venue, league.message_id), f"<t:{(league.due_at or 0) // 1000}:R>"
        said = {"player": player, "game": game_title(league.game), "when": when, "link": link}
        notice = await notice_for(self.wording, REMINDER, venue, user, **said)
        try:
            await self.notifier.tell(notice, await self.notifier.level(REMINDER, guild_id, user))
        except NotTaken as error:  # they get one reminder, and see the week in the message
            _log.info("a reminder of a league was not taken (code %d)", error.code)
        return 1
