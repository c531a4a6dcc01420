"""Matches with computers: practice, seats that they play on for absent people (C-8), and *Try it differently*."""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.games import GAMES
from bot.play.computers.levels import DEFAULT, check_level, levels_at
from bot.play.deals.openings import Opening, opening_before
from bot.play.live_match import LiveMatch
from bot.play.match_press import MatchPresses
from bot.play.match_registry import MatchRegistry
from bot.play.matchmaking.invitations import Inviting, Proposal, Terms
from bot.play.matchmaking.seating import PlaceNeeded, Seating
from bot.play.refusals import Refused
from bot.play.server_settings import KnownServerSettings
from bot.store.queries.invitations import InvitationKind, InvitationState, Origin, StandIn
from bot.store.special_ids import computer_id, is_computer, level_of
from bot.store.store import Store
from cogs.actions.challenging import InvitationPosts, check_place
from cogs.actions.component_press import Capability, ComponentPress, Verbs
from cogs.actions.finding import Finder
from cogs.actions.playing import Hands
from cogs.actions.servers.own_threads import OwnThreads
from cogs.interactions.responses import Interaction, edit_reply
from cogs.public_screens import PublicScreens
from cogs.screens import custom_ids
from cogs.screens.hands.stand_in_hand import ask_screen
from cogs.screens.reviews import has_review
from cogs.updates.match_notices import link
from cogs.wording import Wording
from engines.game import Seat


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
class Practice:
    """Matches with computers: practice, seats that they play on for absent people (C-8), and *Try it differently*."""

    inviting: Inviting
    seating: Seating
    presses: MatchPresses
    posts: InvitationPosts
    own_threads: OwnThreads
    wording: Wording
    finder: Finder
    public_screens: PublicScreens

    async def begin(
        self,
        interaction: Interaction,
        terms: Terms,
        seated: tuple[int, ...],
        places: tuple[int, ...] = (),
        *,
        origin: Origin | None = None,
    ) -> None:
        """Begin a match of the person of an interaction against the computers seated, in the channel of the
        interaction.

        It begins with a deal, or where `origin` says. Raises Refused with the reason if that is not possible.
        """
        user = interaction.user.id
        await self.wording.remember_names(interaction)
        invitation = await self.inviting.invite(
            Proposal(
                terms,
                user,
                kind=InvitationKind.TABLE,
                places=places,
                computers=seated,
                private=True,
                at_once=True,
                origin=origin,
            )
        )
        message_id = await self.posts.send(interaction, invitation)
        if message_id is None:
            return
        with self.presses.take_up(invitation.id, interaction.id) as press:
            try:
                await self.seating.start(invitation.id, user, message_id, press)
            except PlaceNeeded:
                thread = await self.own_threads.begin(invitation, message_id)
                place = invitation.channel_id if thread is None else thread
                match = await self.seating.start(invitation.id, user, message_id, press, place=place)
                if thread is not None:
                    self.own_threads.add_players(match)
                    accepted, _ = await self.finder.invitation(interaction, invitation.id)
                    screen = self.public_screens.invitation(accepted, InvitationState.ACCEPTED)
                    await edit_reply(interaction, screen, invitation.id)


@dataclass(slots=True, eq=False)
class StandInPresses(Capability):
    """What the buttons around an absent seat do."""

    verbs = Verbs()

    hands: Hands

    @verbs("handover")
    async def _ask(self, press: ComponentPress) -> None:
        """Say what it means before a computer takes over."""
        match, seat = await self.hands.seated(press, press.target)
        if match.over:
            raise Refused("match.over")
        if match.stand_in is StandIn.OFF:
            raise Refused("press.not_offered")
        if match.has_stand_in(seat):
            await self.hands.show(press, match, seat)
            return
        screen = ask_screen(match, press.words)
        await press.reply(screen, match.id)

    @verbs("standin")
    async def _let_play(self, press: ComponentPress) -> None:
        match, seat = await self.hands.seated(press, press.target)
        note, done = "", False
        try:
            done = await press.changes.let_play(match, seat)
        except Refused as refused:
            note = press.words(refused.key, **refused.values)
        await self.hands.show(press, match, seat, note="" if match.has_stand_in(seat) else note, resting=done)

    @verbs("takeback")
    async def _take_back(self, press: ComponentPress) -> None:
        match, seat = await self.hands.seated(press, press.target)
        say, done = press.words, False
        try:
            done = await press.changes.take_back(match, seat)
            note = say("stand_in.back") if done else ""
        except Refused as refused:
            note = say(refused.key, **refused.values)
        await self.hands.show(press, match, seat, note=note, resting=done)


@dataclass(slots=True, eq=False)
class TryingDifferently(Capability):
    """What the buttons *Try it differently* do. Anybody in the match's server may press them."""

    verbs = Verbs()

    finder: Finder
    store: Store
    matches: MatchRegistry
    practice: Practice
    server_settings: KnownServerSettings
    own_threads: OwnThreads
    _beginning: set[tuple[int, Origin]] = field(default_factory=set, init=False)

    @verbs("differently")
    async def _differently(self, press: ComponentPress) -> None:
        """Begin a match where the pressed move was made, unless its presser is playing that already."""
        number = custom_ids.read_move(press.arg)
        match = await self.finder.match(press.interaction, press.target)
        if not match.over:
            raise Refused("review.not_over")
        await self.finder.check_visible(press.interaction, match)
        if not has_review(match):
            raise Refused("review.nothing")
        opening = opening_before(match, await self.store.records(match.id), number)
        trying = press.user_id, opening.origin
        self._check_new(match.guild_id, *trying)
        self._beginning.add(trying)
        try:
            await self._begin(press, match, opening)
        finally:
            self._beginning.discard(trying)

    def _check_new(self, guild_id: int, user_id: int, origin: Origin) -> None:
        """Raise Refused if somebody plays a match from there already, or if it is just beginning."""
        if (user_id, origin) in self._beginning:
            raise Refused("differently.beginning")
        for match in self.matches.in_server(guild_id):
            if match.origin == origin and user_id in match.seats:
                raise Refused("differently.playing", link=link(match))

    async def _begin(self, press: ComponentPress, match: LiveMatch, opening: Opening) -> None:
        interaction, game = press.interaction, match.game.info.key
        guild_id, channel_id = await check_place(self.server_settings, interaction, game, direct=True)
        in_thread, _ = self.own_threads.thread_or_reason(interaction, None)
        terms = Terms(guild_id, channel_id, game, match.options, match.time_control.key, in_thread)
        places = _places(match, opening.seat, press.user_id)
        computers = tuple(filter(is_computer, places))
        await self.practice.begin(interaction, terms, computers, places, origin=opening.origin)


def _places(match: LiveMatch, seat: Seat, user_id: int) -> tuple[int, ...]:
    """Who sits where: the person on a seat, and on each other one a computer of its level, or of the match's own."""
    offered = levels_at(match.game.info.key, match.options, len(match.seats))
    played = [level_of(user) for user in match.seats if is_computer(user)]
    places: tuple[int, ...] = ()
    for other, user in enumerate(match.seats):
        level = level_of(user) if is_computer(user) else played[0] if played else DEFAULT
        known = level if level in offered else DEFAULT
        places += (user_id if other == seat else computer_id(known, places),)
    return places
