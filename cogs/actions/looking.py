"""Presses that show something of a match: pages of the rules, open piles, the table, and what is behind *More…*."""

from __future__ import annotations

from dataclasses import dataclass

from bot.games import GAMES
from bot.match_readers import Derivable
from bot.play.clocks.stops import ClockStops
from bot.play.closed_deals import ClosedDeals
from bot.play.live_match import LiveMatch
from bot.play.match_registry import MatchRegistry
from bot.play.match_state import codec
from bot.play.matchmaking.invitations import Invitations
from bot.play.refusals import NotInstalled, Refused
from bot.store.queries.invitations import InvitationState
from bot.ui.preferences import CardStyle, Preferences
from bot.ui.screen import Button, Press
from cogs.actions.component_press import Capability, ComponentPress, Verbs
from cogs.actions.finding import Finder
from cogs.actions.playing import with_way_back
from cogs.actions.seating import InvitationMessages
from cogs.interactions.venues import venues_of
from cogs.screens import custom_ids
from cogs.screens.additions import GameRows, Placed, arranged
from cogs.screens.board import more_on_board, piles_screen
from cogs.screens.hands.hand import more_on_hand
from cogs.screens.presenter import OpenPiles, Pictured, Presenters, Reader, told_terms
from cogs.screens.result import more_about
from cogs.screens.rules_pages import index_of, rules_screen
from cogs.screens.tables import table_screen
from cogs.wording import Readers


@dataclass(slots=True, eq=False)
class RulesPages(Capability):
    """What the buttons do that open the rules and turn their pages."""

    verbs = Verbs()

    finder: Finder
    matches: MatchRegistry
    invitations: Invitations
    presenters: Presenters
    added: Placed[GameRows]
    """What rooms add below the rules."""
    stops: ClockStops

    @verbs("rules")
    async def _rules(self, press: ComponentPress) -> None:
        await self._show_rules(press, None)

    @verbs("page")
    async def _page(self, press: ComponentPress) -> None:
        await self._show_rules(press, custom_ids.read_page(press.arg))

    async def _show_rules(self, press: ComponentPress, index: int | None) -> None:
        """Show a page of the rules; None is the page about what a running match asks, elsewhere the first.

        From a match or an invitation they come with the options in force there.
        """
        words = press.words
        game, options, name = press.target, None, ""
        match: LiveMatch | None = None
        if game not in GAMES:
            match = await self.matches.find(press.target)
            invitation, _ = (None, None) if match else await self.invitations.find(press.target) or (None, None)
            source = match or invitation
            may = Derivable.ALL if match is None else await self.finder.may_derive(press.interaction, match)
            hidden = may is Derivable.NOTHING and (match is None or not match.shared or match.everywhere)
            if source is None or hidden or source.guild_id not in venues_of(press.interaction):
                await self.finder.check_installed(press.interaction, game)
                raise Refused("match.unknown")
            if match is not None:
                game, options = match.game.info.key, match.options
                name = "" if match.over or may < Derivable.TABLE else self.presenters[game].rules_page(match.public())
            elif invitation is not None:
                game = invitation.game
                if game not in GAMES:
                    raise NotInstalled(game)
                options = codec(game).decode(invitation.options)
        presenter = self.presenters[game]
        terms = () if options is None else told_terms(presenter, game, options, Reader(words, ()))
        index = index_of(name, game, words.language) if index is None else index
        screen = rules_screen(game, index, words, terms, arranged((), self.added, game, presenter, words))
        if match is not None:
            screen = with_way_back(press, match, screen)
        await press.reply(screen, press.target)
        await self.stops.begin_reading(press.user_id)


@dataclass(slots=True, eq=False)
class TableViews(Capability):
    """What the buttons do that show the table of a match, or a part of it."""

    verbs = Verbs()

    finder: Finder
    readers: Readers
    presenters: Presenters
    closed_deals: ClosedDeals
    preferences: Preferences

    @verbs("piles")
    async def _piles(self, press: ComponentPress) -> None:
        """Show the open piles of a match to anybody."""
        match = await self.finder.match(press.interaction, press.target)
        presenter = self.presenters[match.game.info.key]
        if not isinstance(presenter, OpenPiles):
            raise custom_ids.UnknownCustomId("no such piles")
        reader = await self.readers.pressing(press.interaction, match, None)
        self._check_open(match)
        screen = with_way_back(press, match, piles_screen(match, presenter, reader))
        await press.reply(screen, match.id)

    @verbs("table")
    async def _table(self, press: ComponentPress) -> None:
        """Show the table of a match to anybody, as they may see it; as a picture too, if they read emojis."""
        match = await self.finder.match(press.interaction, press.target)
        presenter = self.presenters[match.game.info.key]
        if not isinstance(presenter, Pictured):
            raise custom_ids.UnknownCustomId("no picture of this game")
        reader = await self.readers.pressing(press.interaction, match, match.seat_of(press.user_id))
        self._check_open(match)
        pictured = self.preferences.card_style(press.user_id) is CardStyle.EMOJIS
        screen = table_screen(match, presenter, reader, pictured=pictured)
        await press.reply(screen, match.id)

    def _check_open(self, match: LiveMatch) -> None:
        """Raise Refused for a match that is over while its deal is closed. It may end at any await before."""
        if match.over:
            self.closed_deals.check_open(match)


@dataclass(slots=True, eq=False)
class More(Capability):
    """What *More…* does: it shows its presser, in private, what else can be done there.

    Everybody who sees a message may open it. It says nothing that the message itself does not lead to, and each of its
    buttons is refused like any other.
    """

    verbs = Verbs()

    finder: Finder
    readers: Readers
    presenters: Presenters
    invitations: InvitationMessages

    @verbs("more")
    async def _more(self, press: ComponentPress) -> None:
        match = await self.finder.matches.find(press.target)
        if match is None:
            invitation, state = await self.finder.invitation(press.interaction, press.target)
            if state is not InvitationState.OPEN:
                raise Refused("challenge.closed")
            await self.invitations.show_more(press, invitation)
            return
        may = await self.finder.may_derive(press.interaction, match)
        if may is Derivable.NOTHING:
            self.finder.check_shared(press.interaction, match)
            raise Refused("challenge.unknown")
        reader = await self.readers.pressing(press.interaction, match, None)
        presenter = self.presenters[match.game.info.key]
        if match.over:
            self.finder.closed_deals.check_open(match)
            seat = match.seat_of(press.user_id)
            replaces = not match.has_board and seat is not None  # the result itself
            back = ((Button(press.words("button.previous"), Press("cards")),),) if replaces else ()
            screen = more_about(match, presenter, reader, seat, may_look=may >= Derivable.TABLE, below=back)
        elif match.has_board:
            screen = more_on_board(match, presenter, reader)
        else:
            screen = with_way_back(press, match, more_on_hand(match, presenter, reader))
        await press.reply(screen, match.id)
