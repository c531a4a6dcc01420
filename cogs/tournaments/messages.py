"""Reads tournaments for screens, and for the one public message of each (`cogs.updates.public_messages`)."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Final

from bot.games import game_title
from bot.play.match_registry import MatchRegistry
from bot.play.match_state import codec
from bot.store.special_ids import message_link
from bot.ui.catalogue import Translations
from bot.ui.screen import Button, Press, Screen, Text
from cogs.screens.board import board_link
from cogs.screens.presenter import Presenters, Reader, told_terms
from cogs.tournaments.cups import Tournaments
from cogs.tournaments.panel import format_name, held_label
from cogs.tournaments.queries import TournamentQueries
from cogs.tournaments.rows import State, Tournament, Whole
from cogs.tournaments.screens import View, public_screen
from cogs.tournaments.threads import MatchThreads
from cogs.updates.channel_messages import NotTaken
from cogs.updates.edit_queue import EditQueue, Priority
from cogs.updates.notifier import Kind, Notifier, notice_for
from cogs.updates.public_messages import PublicMessage
from cogs.updates.server_week import WeekPost
from cogs.wording import Wording

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
class TournamentMessages:
    """What the public messages of tournaments show, and what is said to a host alone."""

    tournaments: Tournaments
    looking: Looking
    edits: EditQueue
    notifier: Notifier
    wording: Wording

    async def read(self, guild_id: int, tournament_id: str) -> PublicMessage:
        """What the message of a tournament shows now. Raises Refused, Unsaved and StoreError."""
        whole = await self.tournaments.whole(guild_id, tournament_id)
        tournament, round_, words = whole.tournament, whole.this_round, self.wording.of_server(guild_id)
        view = await self.looking.view(whole, words)
        playing = [leg.match_id for each in whole.in_round if (leg := each.in_play) is not None]
        return PublicMessage(
            tournament_id,
            guild_id,
            tournament.channel_id,
            tournament.message_id,
            tournament.created_at,
            tournament.ended_at or (None if round_ is None else round_.began_at),
            public_screen(view, words),
            frozenset(each for each in playing if each not in view.boards and self.looking.matches.unfinished(each)),
        )

    async def note(self, shown: PublicMessage, message_id: int) -> bool:
        """Record the message that shows a tournament, unless that was resumed in another channel."""
        return await self.tournaments.note_message(shown.guild_id, shown.id, shown.channel_id, message_id)

    def tell_host(self, tournament: Tournament) -> None:
        """Tell a host once that their tournament was on hold for too long."""
        if tournament.host_id is not None:
            tell = partial(self._tell, tournament, tournament.host_id)
            self.edits.request_edit(("notice", tournament.channel_id), (GIVEN_UP, tournament.id), tell, Priority.NOTICE)

    async def _tell(self, tournament: Tournament, host: int) -> int:
        """Tell a host, in a direct message where the channel is lost. Returns how many requests that took."""
        guild_id = tournament.guild_id
        time = held_label(await self.wording.of_person(guild_id, host))
        venue, game = (guild_id, tournament.channel_id), game_title(tournament.game)
        notice = await notice_for(self.wording, GIVEN_UP, venue, host, game=game, time=time)
        level = await self.notifier.level(GIVEN_UP, guild_id, host)
        try:
            await self.notifier.tell(notice, level)
        except NotTaken:
            with suppress(NotTaken):  # they see it in `/tournament me`
                await self.notifier.send_directly(notice)
        return 1


MOST_TOLD: Final = 5


@dataclass(frozen=True, slots=True, eq=False)
class TournamentWeek:
    """The tournaments of servers that people can join, as whole servers read of them."""

    queries: TournamentQueries
    wording: Wording

    async def post(self, guild_id: int) -> WeekPost | None:
        """Those that begin first; None if there are none. Raises StoreError."""
        found = [
            each
            for each in await self.queries.of_server(guild_id)
            if each.state is State.OPEN and each.message_id is not None
        ]
        if not found:
            return None
        first = sorted(found, key=lambda each: (each.closes_at, each.id))[:MOST_TOLD]
        return WeekPost(week_screen(first, self.wording.of_server(guild_id)))


def week_screen(tournaments: Sequence[Tournament], words: Translations) -> Screen:
    """These tournaments, each with the way to its message."""
    lines = [
        words(
            "tournament.week_line",
            game=game_title(each.game),
            format=format_name(each.format, each.seats, words),
            when=f"<t:{each.closes_at // 1000}:R>",
            link=message_link(each.guild_id, each.channel_id, each.message_id),
        )
        for each in tournaments
    ]
    own = Button(words("button.own_tournament"), Press("tournow"))
    return Screen(words("tournament.week"), (Text("\n".join(lines)),), ((own,),))
