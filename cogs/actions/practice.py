"""Matches with computers: practice, and seats that they play on for absent people (C-8)."""

from __future__ import annotations

from dataclasses import dataclass

from bot.games import GAMES
from bot.play.computers.levels import check_level
from bot.play.match_press import MatchPresses
from bot.play.matchmaking.invitations import Inviting, Proposal, Terms
from bot.play.matchmaking.seating import PlaceNeeded, Seating
from bot.play.refusals import Refused
from bot.store.queries.invitations import InvitationKind, InvitationState, Origin, StandIn
from bot.store.special_ids import computer_id
from cogs.actions.challenging import InvitationPosts
from cogs.actions.component_press import Capability, ComponentPress, Verbs
from cogs.actions.finding import Finder
from cogs.actions.own_threads import OwnThreads
from cogs.actions.playing import Hands
from cogs.interactions.responses import Interaction, edit_reply
from cogs.public_screens import PublicScreens
from cogs.screens.hands.stand_in_hand import ask_screen
from cogs.wording import Wording


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
    """Begins matches of one person against computers."""

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
