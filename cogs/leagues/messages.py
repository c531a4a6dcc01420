"""Keeps the one public message of each league, reminds people, and reads leagues for screens.

The message is edited as things change, at most once for each turn of its channel. When a week begins, or a season is
over, and the message is further up than people look, it is posted again.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from bot.games import game_title
from bot.gateway.discord_time import made_at
from bot.play.live_match import LiveMatch
from bot.play.match_registry import MatchRegistry
from bot.play.matchmaking.invitations import Invitations
from bot.play.observers import Observer
from bot.play.refusals import Refused, Unsaved
from bot.store.errors import StoreError
from bot.store.queries.invitations import Invitation
from bot.store.special_ids import message_link
from bot.ui.catalogue import Translations
from bot.ui.isolation import mention
from cogs.leagues.leagues import Leagues
from cogs.leagues.queries import League, Whole
from cogs.leagues.screens import SUBJECT, View, public_screen
from cogs.screens.board import board_link
from cogs.screens.safe_names import safe_server_name
from cogs.updates.channel_messages import NotTaken, Posted
from cogs.updates.edit_queue import EditQueue, Priority
from cogs.updates.notifier import Kind, Notice, Notifier
from cogs.updates.shown_messages import ShownMessage, ShownMessages
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
class LeagueMessages(Observer):
    """The messages of all leagues. What has no address yet is linked once it has one."""

    leagues: Leagues
    looking: Looking
    shown_messages: ShownMessages
    edits: EditQueue
    notifier: Notifier
    wording: Wording
    _unlinked: dict[str, tuple[int, str]] = field(default_factory=dict, init=False)
    """The server and league of challenges that had no address yet, or that may become matches, by their ids."""

    def match_changed(self, match: LiveMatch) -> None:
        """Link a board that has been posted."""
        if match.id in self._unlinked and (match.over or match.board_id is not None):
            self.request(*self._unlinked.pop(match.id))

    def invitation_opened(self, invitation: Invitation) -> None:
        """Link a challenge that has been posted."""
        if invitation.id in self._unlinked:
            self.request(*self._unlinked[invitation.id])

    def server_purged(self, guild_id: int) -> None:
        """Forget the leagues of a server."""
        self._unlinked = {each: key for each, key in self._unlinked.items() if key[0] != guild_id}

    async def resume(self) -> None:
        """Show what an earlier process had no time to show. Raises StoreError."""
        for each in await self.leagues.tables.unfinished():
            self.request(each.guild_id, each.id)

    # ------------------------------------------------------------------------------------ the public message

    def request(self, guild_id: int, league_id: str) -> None:
        """Have the message of a league show how it is now."""
        update = partial(self._update, guild_id, league_id)
        self.edits.request_edit((SUBJECT, league_id), (SUBJECT, league_id), update, Priority.NOTICE)

    async def _update(self, guild_id: int, league_id: str) -> int:
        """Bring a message up to date. Returns how many requests that took, about. Raises NotTaken."""
        try:
            whole = await self.leagues.whole(guild_id, league_id)
            words = self.wording.of_server(guild_id)
            view = await self.looking.view(whole, words)
            self._note_unlinked(view)
            message = _Message(self.leagues, whole.league, await self._former(whole.league))
            made = await self.shown_messages.made(public_screen(view, words), league_id)
            return await self.shown_messages.show(message, made)
        except (StoreError, Unsaved) as error:
            _log.warning("a channel could not read of a league: %s", type(error).__name__)
            raise NotTaken(type(error).__name__) from error
        except Refused:  # it was deleted with its server meanwhile
            return 0

    def _note_unlinked(self, view: View) -> None:
        key, pairings = (view.league.guild_id, view.league.id), view.whole.pairings
        self._unlinked = {each: of for each, of in self._unlinked.items() if of != key}
        for each in [view.current(each) for each in pairings if each.how is None]:
            if each is not None and not (each.in_play and each.id in view.links):
                self._unlinked[each.id] = key

    async def _former(self, league: League) -> int | None:
        """The message that is there, also one whose place was never recorded."""
        if league.message_id is not None:
            return league.message_id
        return await self.shown_messages.find(league.channel_id, league.created_at, league.id)

    # ------------------------------------------------------------------------------------ reminders

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
        values = {"player": player, "game": game_title(league.game), "when": f"<t:{(league.due_at or 0) // 1000}:R>"}
        values["link"] = message_link(guild_id, league.channel_id, league.message_id)
        server = safe_server_name(self.wording.server_name(guild_id), guild_id)
        here = words(REMINDER.here, **values, who=mention(user))
        notice = Notice(guild_id, league.channel_id, user, here, words(REMINDER.there, **values, server=server))
        try:
            await self.notifier.tell(notice, await self.notifier.level(REMINDER, guild_id, user))
        except NotTaken as error:  # they get one reminder, and see the week in the message
            _log.info("a reminder of a league was not taken (code %d)", error.code)
        return 1


class _Message(ShownMessage):
    """The message of a league, as one that must show a state."""

    def __init__(self, leagues: Leagues, league: League, former: int | None) -> None:
        self._leagues, self._league = leagues, league
        self.guild_id, self.channel_id = league.guild_id, league.channel_id
        self.message_id = former
        self.made_at = league.created_at if former is None else made_at(former)
        self.wanted_below = self.made_at < league.changed_at

    def vanished(self) -> None:
        self.message_id = None

    async def begin(self) -> None:
        """Nothing is recorded before: a message that was not is found by its buttons."""

    async def refused(self, *, certain: bool) -> None:
        """The former one is still all that there is."""

    async def placed(self, posted: Posted) -> Posted | None:
        await self._leagues.note_message(self._league, posted.message_id)
        return None if self.message_id is None else Posted(self.channel_id, self.message_id)
