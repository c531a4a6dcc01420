"""Matches of one person against computers: how they begin, and how others may follow them.

One of turns is played alone: its person sees it in one private message, without a clock (`bot.play.days`). A race has
timers of its own, so it has a board.
"""

from __future__ import annotations

from collections.abc import Coroutine
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from bot.games import GAMES
from bot.play.computers.levels import check_level
from bot.play.days import Days
from bot.play.live_match import LiveMatch
from bot.play.match_lifecycle import MatchLifecycle
from bot.play.match_press import MatchPresses
from bot.play.matchmaking.invitations import Proposal, Terms
from bot.play.matchmaking.seating import Seating, VenueNeeded
from bot.play.refusals import Refused
from bot.play.server_settings import KnownServerSettings
from bot.store.errors import StoreError
from bot.store.queries.invitations import InvitationKind, InvitationState, Origin, StandIn
from bot.store.special_ids import computer_id, is_chat, people
from cogs.actions.challenging import InvitationPosts, check_bot_posts, check_venue
from cogs.actions.component_press import Capability, ComponentPress, OneAtATime, Verbs
from cogs.actions.own_threads import OwnThreads
from cogs.actions.playing import Hands
from cogs.interactions.post_budget import PostBudget
from cogs.interactions.responses import Interaction, edit_reply
from cogs.interactions.venues import venue_id_of
from cogs.interactions.whose_rows import check_may_store
from cogs.public_screens import PublicScreens
from engines.players.levels import RACERS


def computers(game: str, level: str, number: int) -> tuple[int, ...]:
    """The ids of a number of computers of a level. Raises Refused for a level that the game does not have, and for a
    number that cannot sit down with one person."""
    check_level(game, level)
    seats = GAMES[game].info.seats
    if 1 + number not in seats:
        raise Refused("practice.computers", least=max(1, seats[0] - 1), most=seats[-1] - 1)
    ids: tuple[int, ...] = ()
    for _ in range(number):
        ids += (computer_id(level, ids),)
    return ids


@dataclass(slots=True, eq=False)
class ComputerMatches:
    """Begins matches of one person against computers, and shows those that are played alone."""

    seating: Seating
    presses: MatchPresses
    posts: InvitationPosts
    own_threads: OwnThreads
    hands: Hands
    public_screens: PublicScreens
    days: Days
    _beginning: OneAtATime = field(default_factory=OneAtATime, init=False)

    async def once(self, interaction: Interaction, begin: Coroutine[Any, Any, None]) -> None:
        """Begin a match by a press, unless another press of the same person is just beginning one."""
        await self._beginning.do(interaction, begin)

    async def begin(
        self,
        interaction: Interaction,
        terms: Terms,
        seated: tuple[int, ...],
        places: tuple[int, ...] = (),
        *,
        origin: Origin | None = None,
    ) -> None:
        """Begin a match of the person of an interaction against the computers seated: played alone, or in the channel
        of the interaction if it is a race.

        It begins with a deal, or where `origin` says. Raises Refused with the reason if that is not possible.
        """
        alone = is_played_alone(terms.game)
        proposal = Proposal(
            replace(
                terms,
                in_thread=terms.in_thread and not alone,
                options=_unhurried(terms),
                stand_in=StandIn.OFF,  # nobody else would be left who plays
            ),
            interaction.user.id,
            kind=InvitationKind.TABLE,
            places=places,
            computers=seated,
            private=True,
            at_once=True,
            alone=alone,
            origin=origin,
        )
        await (self._begin_alone if alone else self._begin_race)(interaction, proposal)

    def played(self, interaction: Interaction, game: str) -> LiveMatch | None:
        """The match of a game that the person of an interaction is playing against computers there; None without
        one. Of several it is the one that was begun last."""
        user_id = interaction.user.id
        matches = self.seating.registry.of_player(user_id, venue_id_of(interaction))
        found = [each for each in matches if each.game.info.key == game and people(each.seats) == (user_id,)]
        return next((each for each in reversed(found) if each.day is None and not each.over), None)

    async def show(self, interaction: Interaction, match: LiveMatch, note: str = "") -> None:
        """Show the hand of a match to its person. Raises Refused for somebody who does not play."""
        with self.presses.take_up(match.id, interaction.id) as changes:
            press = ComponentPress(interaction, match.id, "cards", 0, "", changes)
            _, seat = await self.hands.seated(press, match.id)
            await self.hands.show(press, match, seat, note=note)

    async def _begin_alone(self, interaction: Interaction, proposal: Proposal) -> None:
        check_may_store(interaction, ())
        invitation = await self.posts.inviting.invite(proposal)
        with self.presses.take_up(invitation.id, interaction.id) as changes:
            try:
                match = await self.seating.start_alone(invitation.id, proposal.host, changes)
            except BaseException:
                with suppress(StoreError):  # then it lapses
                    await self.posts.invitations.withdraw(invitation)
                raise
            self.days.resume()
            press = ComponentPress(interaction, match.id, "cards", 0, "", changes)
            await self.hands.show(press, match, match.seats.index(proposal.host))

    async def _begin_race(self, interaction: Interaction, proposal: Proposal) -> None:
        if not is_chat(proposal.terms.guild_id):
            check_bot_posts(interaction)
        user = interaction.user.id
        invitation, message_id = await self.posts.invite(interaction, proposal)
        if message_id is None:
            return
        with self.presses.take_up(invitation.id, interaction.id) as press:
            try:
                await self.seating.start(invitation.id, user, message_id, press)
            except VenueNeeded:
                thread = await self.own_threads.begin(invitation, message_id)
                venue = invitation.channel_id if thread is None else thread
                match = await self.seating.start(invitation.id, user, message_id, press, venue=venue)
                if thread is not None:
                    self.own_threads.add_players(match)
                    accepted, _ = await self.hands.finder.invitation(interaction, invitation.id)
                    screen = self.public_screens.invitation(accepted, InvitationState.ACCEPTED)
                    await edit_reply(interaction, screen, invitation.id)


@dataclass(slots=True, eq=False)
class ShowingHere(Capability):
    """What the button *Show it here* does: others may follow practice on a board from then on."""

    verbs = Verbs()

    hands: Hands
    lifecycle: MatchLifecycle
    server_settings: KnownServerSettings
    budget: PostBudget

    @verbs("showhere")
    async def _show(self, press: ComponentPress) -> None:
        match, seat = await self.hands.seated(press, press.target)
        guild_id, channel_id = await check_venue(self.server_settings, press.interaction)
        if guild_id != match.guild_id:
            raise Refused("match.unknown")
        with self.budget.spending(press.interaction):
            await self.lifecycle.show(match, channel_id, press.changes)
        await self.hands.show(press, match, seat, note=press.words("practice.shown"))


def _unhurried(terms: Terms) -> Any:
    """The options of these terms, with timers that wait for one person, but where they differ from the author's own."""
    info = GAMES[terms.game].info
    own = info.options()
    slower = {
        name: value for name, value in info.unhurried.items() if getattr(terms.options, name) == getattr(own, name)
    }
    return replace(terms.options, **slower)


def is_played_alone(game: str) -> bool:
    """Whether matches of a game against computers are played without a board and a clock: all but races, whose own
    timers run."""
    return game not in RACERS
