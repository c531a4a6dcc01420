"""Keeps the one public message of each tournament, and reads tournaments for screens.

The message is edited as things change, at most once for each turn of its channel, however many matches end. When a
round begins or the tournament is over, and the message is further up than people look, it is posted again.
"""

from __future__ import annotations

import logging
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from bot.games import game_title
from bot.gateway.discord_time import made_at
from bot.play.live_match import LiveMatch
from bot.play.match_registry import MatchRegistry
from bot.play.match_state import codec
from bot.play.observers import Observer
from bot.play.refusals import Refused, Unsaved
from bot.scheduler import DAY
from bot.store.errors import StoreError
from bot.ui.catalogue import Translations
from bot.ui.isolation import mention
from cogs.screens.board import board_link
from cogs.screens.presenter import Presenters, Reader
from cogs.screens.safe_names import safe_server_name
from cogs.screens.terms import told_terms
from cogs.tournaments.cups import Tournaments
from cogs.tournaments.holds import held_label
from cogs.tournaments.rows import Tournament, Whole
from cogs.tournaments.screens import SUBJECT, View, public_screen
from cogs.tournaments.threads import MatchThreads
from cogs.updates.channel_messages import NotTaken, Posted
from cogs.updates.edit_queue import EditQueue, Priority
from cogs.updates.notifier import Kind, Notice, Notifier
from cogs.updates.shown_messages import ShownMessage, ShownMessages
from cogs.wording import Wording

_log = logging.getLogger(__name__)

GIVEN_UP: Final = Kind("tournament", "tournament.told_given_up", "tournament.told_given_up_there")


@dataclass(slots=True, eq=False)
class Looking:
    """Reads tournaments with all that their screens need."""

    matches: MatchRegistry
    wording: Wording
    threads: MatchThreads
    presenters: Presenters

    async def view(self, whole: Whole, words: Translations) -> View:
        """A tournament as a reader of these words sees it."""
        tournament = whole.tournament
        host = () if tournament.host_id is None else (tournament.host_id,)
        entrants, correctors = [each.user_id for each in whole.entrants], [each.user_id for each in whole.corrections]
        users = tuple(dict.fromkeys((*host, *entrants, *correctors, *[each.user_id for each in whole.asks])))
        names = dict(zip(users, await self.wording.loaded(tournament.guild_id, users, words), strict=True))
        legs = [each.in_play for each in whole.in_round]
        played = [self.matches.unfinished(leg.match_id) for leg in legs if leg is not None]
        boards = {match.id: board_link(match) for match in played if match is not None and match.board_id is not None}
        return View(whole, names, boards, self.threads.lacks(tournament), self._options(tournament, words))

    def _options(self, tournament: Tournament, words: Translations) -> tuple[str, ...]:
        presenter = self.presenters.get(tournament.game)
        if presenter is None:
            return ()
        options = codec(tournament.game).decode(tournament.options)
        return told_terms(presenter, tournament.game, options, Reader(words, ()))


@dataclass(slots=True, eq=False)
class TournamentMessages(Observer):
    """The messages of all tournaments. A board that isn't posted yet is linked once its match changes."""

    tournaments: Tournaments
    looking: Looking
    shown_messages: ShownMessages
    edits: EditQueue
    notifier: Notifier
    wording: Wording
    _unlinked: dict[str, tuple[int, str]] = field(default_factory=dict, init=False)
    """The server and tournament of matches whose board had no address yet, by match."""
    _made: dict[int, int] = field(default_factory=dict, init=False)
    """When this process posted which messages, by its own clock (ms UTC): that of Discord, which their ids tell, may be
    behind it, and a message would be posted again and again."""

    def match_changed(self, match: LiveMatch) -> None:
        """Link a board that has been posted."""
        if match.id in self._unlinked and (match.over or match.board_id is not None):
            self.request(*self._unlinked.pop(match.id))

    async def resume(self) -> None:
        """Show what an earlier process had no time to show. Raises StoreError."""
        tables, lately = self.tournaments.tables, self.tournaments.scheduler.now() - DAY
        for each in (*await tables.unfinished(), *await tables.ended_since(lately)):
            self.request(each.guild_id, each.id)

    def request(self, guild_id: int, tournament_id: str) -> None:
        """Have the message of a tournament show how it is now."""

        async def update() -> int:
            return await self._update(guild_id, tournament_id)

        self.edits.request_edit((SUBJECT, tournament_id), (SUBJECT, tournament_id), update, Priority.NOTICE)

    async def _update(self, guild_id: int, tournament_id: str) -> int:
        """Bring a message up to date. Returns how many requests that took, about. Raises NotTaken."""
        try:
            whole = await self.tournaments.whole(guild_id, tournament_id)
            words = self.wording.of_server(guild_id)
            view = await self.looking.view(whole, words)
            self._note_unlinked(view)
            screen = public_screen(view, words)
            message = _Message(self.tournaments, whole, await self._former(whole.tournament), self._made)
            return await self.shown_messages.show(message, await self.shown_messages.made(screen, tournament_id))
        except (StoreError, Unsaved) as error:
            _log.warning("a channel could not read of a tournament: %s", type(error).__name__)
            raise NotTaken(type(error).__name__) from error
        except Refused:  # it was deleted with its server meanwhile
            return 0

    def _note_unlinked(self, view: View) -> None:
        here = view.tournament.guild_id, view.tournament.id
        for leg in [each.in_play for each in view.whole.in_round]:
            if leg is not None and leg.match_id not in view.boards and self.looking.matches.unfinished(leg.match_id):
                self._unlinked[leg.match_id] = here

    async def _former(self, tournament: Tournament) -> int | None:
        """The message that is there, also one whose place was never recorded."""
        if tournament.message_id is not None:
            return tournament.message_id
        return await self.shown_messages.find(tournament.channel_id, tournament.created_at, tournament.id)

    # ------------------------------------------------------------------------------------ its host

    def tell_host(self, tournament: Tournament) -> None:
        """Tell a host once that their tournament was on hold for too long."""
        if tournament.host_id is not None:
            tell = partial(self._tell, tournament, tournament.host_id)
            self.edits.request_edit(("notice", tournament.channel_id), (GIVEN_UP, tournament.id), tell, Priority.NOTICE)

    async def _tell(self, tournament: Tournament, host: int) -> int:
        """Tell a host, in a direct message where the channel is lost. Returns how many requests that took."""
        guild_id = tournament.guild_id
        words = await self.wording.of_person(guild_id, host)
        values = {"game": game_title(tournament.game), "time": held_label(words)}
        server = safe_server_name(self.wording.server_name(guild_id), guild_id)
        here, there = words(GIVEN_UP.here, **values, who=mention(host)), words(GIVEN_UP.there, **values, server=server)
        notice = Notice(guild_id, tournament.channel_id, host, here, there)
        level = await self.notifier.level(GIVEN_UP, guild_id, host)
        try:
            await self.notifier.tell(notice, level)
        except NotTaken:
            with suppress(NotTaken):  # they see it in `/tournament me`
                await self.notifier.send_directly(notice)
        return 1


class _Message(ShownMessage):
    """The message of a tournament, as one that must show a state."""

    def __init__(self, tournaments: Tournaments, whole: Whole, former: int | None, made: dict[int, int]) -> None:
        tournament, round_ = whole.tournament, whole.this_round
        self._tournaments, self._tournament, self._made = tournaments, tournament, made
        self.guild_id, self.channel_id = tournament.guild_id, tournament.channel_id
        self.message_id = former
        self.made_at = tournament.created_at if former is None else made.get(former, made_at(former))
        began = tournament.ended_at or (None if round_ is None else round_.began_at)
        self.wanted_below = began is not None and self.made_at < began

    def vanished(self) -> None:
        self.message_id = None

    async def begin(self) -> None:
        """Nothing is recorded before: a message that was not is found by its buttons."""

    async def refused(self, *, certain: bool) -> None:
        """The former one is still all that there is."""

    async def placed(self, posted: Posted) -> Posted | None:
        await self._tournaments.note_message(self.guild_id, self._tournament.id, posted.message_id)
        self._made.pop(self.message_id or 0, None)
        self._made[posted.message_id] = self._tournaments.scheduler.now()
        return None if self.message_id is None else Posted(self.channel_id, self.message_id)
