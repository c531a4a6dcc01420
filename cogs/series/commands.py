"""Buttons and presses on results: a rematch, one with other options, and the next match of a series (C-9)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from weakref import WeakValueDictionary

from bot.games import GAMES
from bot.play.computers.stand_ins import offers_stand_in
from bot.play.live_match import LiveMatch
from bot.play.match_state import codec
from bot.play.matchmaking.invitations import Proposal, Terms
from bot.play.matchmaking.seating import Seating
from bot.play.matchmaking.series import following, goes_on
from bot.play.refusals import Refused, checked_options
from bot.play.server_settings import KnownServerSettings
from bot.store.queries.invitations import Invitation, Series, StandIn
from bot.store.special_ids import is_chat, is_computer, is_deleted, level_of, people
from bot.store.store import Store
from bot.ui.screen import Button, Press, Tone
from cogs.actions.challenging import InvitationPosts, TermsReader, check_allowed, check_roles, check_slow
from cogs.actions.component_press import Capability, ComponentPress, Verbs
from cogs.actions.computer_matches import ComputerMatches
from cogs.actions.finding import Finder
from cogs.actions.hosting import may_host
from cogs.interactions.whose_rows import Whose
from cogs.screens.board import board_link
from cogs.screens.challenge_panel import Company, Panel, panel_screen
from cogs.screens.presenter import Reader
from cogs.wording import Wording


@dataclass(slots=True, eq=False)
class RematchPresses(Capability):
    """What the buttons of a result do that lead to another match of the same players."""

    verbs = Verbs()

    finder: Finder
    posts: InvitationPosts
    terms: TermsReader
    computer_matches: ComputerMatches
    server_settings: KnownServerSettings
    seating: Seating
    wording: Wording
    _turns: WeakValueDictionary[str, asyncio.Lock] = field(default_factory=WeakValueDictionary, init=False)
    """By match or series: who asks waits until it is known whether the other one has."""

    @verbs("rematch", writes=Whose.INVITED)
    async def _rematch(self, press: ComponentPress) -> None:
        """Challenge the other players of a finished match again: same options, seats rotated by one. Where the other
        one has done so already, accept that. Computers come again; against computers alone it begins at once."""
        match = await self.finished(press)
        terms = _terms(match)
        if len(people(match.seats)) == 1:
            await self.invite(press, match, terms)
            return
        async with self.turn(match.id):
            asked = self._asked(press.user_id, match, terms)
            if asked is None:
                await self.invite(press, match, terms)
                return
        begun = await self.accept(press, asked)
        if begun is not None:
            await press.reply_text(press.words("rematch.begins", link=board_link(begun)))

    def _asked(self, user: int, match: LiveMatch, terms: Terms) -> Invitation | None:
        """The open challenge by which the other player of a match asks somebody to the same rematch."""
        for each in self.seating.invitations.of_player(user, match.guild_id):
            best_of = 1 if each.series is None else each.series.best_of
            found = each.game, each.clock, each.stand_in, best_of, set(each.places)
            wanted = terms.game, terms.time_control, terms.stand_in, terms.best_of, set(match.seats)
            if each.invited == (user,) and found == wanted and codec(each.game).decode(each.options) == terms.options:
                return each
        return None

    def turn(self, what: str) -> asyncio.Lock:
        """A lock for asking for a rematch of a match, or the next match of a series, by its id. Without it, two who
        press at once would ask each other."""
        return self._turns.setdefault(what, asyncio.Lock())

    async def accept(self, press: ComponentPress, asked: Invitation) -> LiveMatch | None:
        """Accept a challenge to another match on the result of the last. Returns the match if it has begun."""
        check_roles(self.server_settings, press.interaction)
        begun = await self.seating.take_seat(asked.id, press.user_id, asked.message_id, press.changes)
        return begun if isinstance(begun, LiveMatch) else None

    # ------------------------------------------------------------------------------------ other options

    @verbs("again")
    async def _set_up(self, press: ComponentPress) -> None:
        """Show the panel as the match was played, or as it was picked since."""
        match = await self.finished(press)
        company = _company(match)
        if press.arg:
            panel = Panel.read(press.arg, company)
        else:
            terms = _terms(match)
            panel = Panel.after(terms.game, terms.options, terms.stand_in, terms.best_of, company)
        words, settings = press.words, self.server_settings.of(match.guild_id)
        others = tuple(seated for seated in match.seats if seated != press.user_id)
        name = words.all_of(await self.wording.loaded(match.guild_id, others, words))
        may_save = press.interaction.guild_id is not None and may_host(self.server_settings, press.interaction)
        named = settings.named(panel.key)
        screen = panel_screen(panel, name, words, settings.defaults_of, named, may_save=may_save)
        await press.reply(screen, press.target)

    @verbs("sendagain", writes=Whose.INVITED)
    async def _send(self, press: ComponentPress) -> None:
        """Challenge the other players to the match that the panel describes."""
        match = await self.finished(press)
        panel = Panel.read(press.arg, _company(match))
        with checked_options():
            options = panel.chosen()
        venue = match.guild_id, match.channel_id
        timed = GAMES[panel.key].info.turn_clock  # a race keeps no time, so the panel offers no clock for it
        clock = panel.clock if timed else self.terms.clock(match.guild_id, panel.key)
        terms = Terms(*venue, panel.key, options, clock, stand_in=panel.stand_in, best_of=panel.best_of)
        await self.invite(press, match, terms)

    # ------------------------------------------------------------------------------------ all of them

    async def finished(self, press: ComponentPress) -> LiveMatch:
        """The match that was pressed. Raises Refused unless the presser has played it to its end with people who can
        still be asked."""
        match = await self.finder.match(press.interaction, press.target)
        if match.seat_of(press.user_id) is None:
            raise Refused("match.not_seated")
        if not match.over:
            raise Refused("match.not_over")
        if match.day is not None:
            raise Refused("daily.no_rematch")
        if any(map(is_deleted, match.seats)):
            raise Refused("rematch.deleted")
        return match

    async def invite(self, press: ComponentPress, match: LiveMatch, terms: Terms, series: Series | None = None) -> None:
        """Ask the other players of a match to another one, where they change seats."""
        user = press.user_id
        check_allowed(self.server_settings, press.interaction)
        check_roles(self.server_settings, press.interaction)
        if is_chat(match.guild_id):
            check_slow(terms.game, terms.time_control)
        others = tuple(seated for seated in match.seats if seated != user)
        places = (*match.seats[1:], match.seats[0])
        guests, computers = people(others), tuple(filter(is_computer, others))
        if not guests:
            begin = self.computer_matches.begin(press.interaction, terms, computers, places)
            await self.computer_matches.once(press.interaction, begin)
            return
        proposal = Proposal(terms, user, guests, places=places, computers=computers, series=series)
        await self.posts.invite(press.interaction, proposal)


@dataclass(slots=True, eq=False)
class SeriesPresses(Capability):
    """What the button of a result does that leads to the next match of a series (C-9)."""

    verbs = Verbs()

    rematches: RematchPresses
    store: Store
    now: Callable[[], int]

    @verbs("nextmatch", writes=Whose.INVITED)
    async def _next_match(self, press: ComponentPress) -> None:
        """Be ready for the next match of a series. The first to be asks the other, and with the other it begins."""
        match = await self.rematches.finished(press)
        if match.series is None:
            raise Refused("series.decided")
        async with self.rematches.turn(match.series.id):
            asked = self.rematches.seating.invitations.of_series(match.guild_id, match.series.id)
            if asked is None:
                series = following(match, self.now())
                await self._check_not_begun(series)
                await self.rematches.invite(press, match, _terms(match), series)
                return
        if press.user_id in asked.seated:
            raise Refused("series.waits")
        begun = await self.rematches.accept(press, asked)
        if begun is not None and begun.series is not None:
            say = press.words
            link = board_link(begun)
            await press.reply_text(say("series.begins", number=begun.series.number, link=link))

    async def _check_not_begun(self, series: Series) -> None:
        """Raise Refused, with a link, if the next match of a series has begun."""
        begun = await self.store.match_of_series(series.id, series.number)
        row = None if begun is None else await self.store.match(begun)
        if row is not None:
            raise Refused("series.begun", link=board_link(row))


def _terms(match: LiveMatch) -> Terms:
    """The terms of a match, for another one; those of its series, if that is over."""
    key = match.game.info.key
    stand_in = match.stand_in if offers_stand_in(key) else StandIn.OFF
    best_of = 1 if match.series is None else match.series.best_of
    venue = match.guild_id, match.channel_id
    return Terms(*venue, key, match.options, match.time_control.key, stand_in=stand_in, best_of=best_of)


def _company(match: LiveMatch) -> Company:
    """Who played a match."""
    levels = tuple(level_of(seated) for seated in match.seats if is_computer(seated))
    return Company(len(match.seats), levels, match.time_control)


def play_on_button(match: LiveMatch, reader: Reader) -> tuple[Button, ...]:
    """What goes on after a match: its series, or another match of the same players."""
    if match.day is not None:
        return ()
    if goes_on(match):
        return (Button(reader.words("button.next_match"), Press("nextmatch"), Tone.GOOD),)
    return (Button(reader.words("button.rematch"), Press("rematch"), Tone.GOOD),)


def other_options_button(match: LiveMatch, reader: Reader) -> tuple[Button, ...]:
    """Another match of the same players with options that are chosen before, for one of them."""
    if match.day is not None or reader.seat is None:
        return ()
    return (Button(reader.words("button.other_options"), Press("again")),)
