"""Presses on invitations: sitting down and starting, leaving and turning down, and what else their hosts do."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from bot.games import GAMES
from bot.play.live_match import LiveMatch
from bot.play.matchmaking.seating import Seating
from bot.play.refusals import Refused
from bot.play.server_settings import KnownServerSettings
from bot.store.errors import StoreError
from bot.store.queries.invitations import Invitation, InvitationKind, InvitationState
from bot.store.special_ids import is_chat, people
from cogs.actions.challenging import check_roles
from cogs.actions.component_press import Capability, ComponentPress, Verbs
from cogs.actions.finding import Finder, pressed_message
from cogs.actions.own_threads import OwnThreads
from cogs.interactions.responses import Interaction, ack, edit_source
from cogs.interactions.whose_rows import Whose, check_may_store
from cogs.public_screens import PublicScreens
from cogs.screens import custom_ids
from cogs.screens.additions import InvitationButtons, Placed
from cogs.screens.invitation import invitation_more
from cogs.updates.board_updater import BoardUpdater, InvitationUpdater
from cogs.updates.match_notices import MatchNotices
from cogs.updates.ready_questions import ReadyQuestions
from cogs.wording import Wording


@dataclass(slots=True, eq=False)
class InvitationMessages:
    """Answers presses on invitations: on their message, or in private on what its *More…* has opened."""

    finder: Finder
    public_screens: PublicScreens
    wording: Wording
    updater: InvitationUpdater
    boards: BoardUpdater
    ready_questions: ReadyQuestions
    added: Placed[InvitationButtons]
    """What rooms add behind *More…*."""

    async def was_closed(self, press: ComponentPress) -> bool:
        """If an invitation is no longer open, show how it ended. Returns whether it was closed.

        Raises Refused if it became a match, and UnknownCustomId for a press that neither its message nor *More…* on it
        has led to.
        """
        invitation, state = await self.finder.invitation(press.interaction, press.target)
        if state is InvitationState.ACCEPTED:
            if not await self._is_in_thread(invitation):
                raise Refused("challenge.accepted_already")
            await self.show(press, invitation, state)  # the answer that did so was lost
            return True
        if invitation.message_id not in (None, pressed_message(press.interaction)):
            raise custom_ids.UnknownCustomId("the invitation has another message, and this one must not be edited")
        if state is InvitationState.OPEN:
            return False
        await self.show(press, invitation, state)
        return True

    async def _is_in_thread(self, invitation: Invitation) -> bool:
        """Whether the match of an accepted invitation was begun in a thread of its own."""
        match = await self.finder.matches.find(invitation.id) if invitation.in_thread else None
        return match is not None and match.board_id != invitation.message_id

    async def show(self, press: ComponentPress, invitation: Invitation, state: InvitationState) -> None:
        """Show an invitation as a press has left it: to everybody, and to its presser where they pressed."""
        if state is not InvitationState.OPEN:
            self.ready_questions.settle(invitation.id)
        await self.wording.load_names(invitation)
        if press.in_private:
            await self._show_in_private(press, invitation, state)
            return
        screen = self.public_screens.invitation(invitation, state)
        await edit_source(press.interaction, screen, invitation.id)
        self.boards.note_answered(press.interaction)
        if state is InvitationState.OPEN and not self.updater.is_present(invitation.id, screen):
            with suppress(StoreError):  # this answer may have come late and hide that; then the next change shows it
                await self.updater.show_what_became(invitation.id)

    async def _show_in_private(self, press: ComponentPress, invitation: Invitation, state: InvitationState) -> None:
        if state is InvitationState.OPEN:
            self.updater.changed(invitation)
            await self.show_more(press, invitation)
            return
        if state is not InvitationState.ACCEPTED:
            self.updater.closed(invitation, state)
        await press.reply(self.public_screens.invitation(invitation, state), invitation.id)

    async def show_more(self, press: ComponentPress, invitation: Invitation) -> None:
        """Answer with what is behind *More…* on an open invitation; if its game is not installed, with how to leave or
        take it back."""
        await self.wording.load_names(invitation)
        if invitation.game not in GAMES:
            await press.reply(self.public_screens.invitation(invitation, InvitationState.OPEN), invitation.id)
            return
        names = self.wording.invitation_names(invitation, press.words)
        screen = invitation_more(invitation, press.words, names, press.user_id, self.added)
        await press.reply(screen, invitation.id)

    async def delete(self, press: ComponentPress, invitation: Invitation) -> None:
        """Delete the message of a table that its host closed before anybody joined: it says nothing to anyone."""
        self.ready_questions.settle(invitation.id)
        if press.in_private:
            await self.wording.load_names(invitation)
            closed = self.public_screens.invitation(invitation, InvitationState.CANCELLED)
            await press.reply(closed, invitation.id)
        else:
            await ack(press.interaction)
        message_id = pressed_message(press.interaction)
        if message_id is not None:
            self.updater.delete(invitation, message_id)


@dataclass(slots=True, eq=False)
class SeatingPresses(Capability):
    """What the buttons of an invitation do that begin its match."""

    verbs = Verbs()

    messages: InvitationMessages
    seating: Seating
    server_settings: KnownServerSettings
    own_threads: OwnThreads
    boards: BoardUpdater
    notices: MatchNotices

    @verbs("accept", "join")
    async def _sit(self, press: ComponentPress) -> None:
        if await self._was_closed(press):
            return
        check_roles(self.server_settings, press.interaction)
        given = press.target, press.user_id, press.message_id, press.changes
        joined = await self.own_threads.with_venue(self.seating.take_seat, *given)
        if isinstance(joined, LiveMatch):
            await self._show_match(press, joined)
        else:
            await self.messages.show(press, joined, InvitationState.OPEN)

    @verbs("start")
    async def _start(self, press: ComponentPress) -> None:
        if await self._was_closed(press):
            return
        asked = await self.seating.ask_ready(press.target, press.user_id)
        if asked is not None:
            await self.messages.show(press, asked, InvitationState.OPEN)
            self.messages.ready_questions.ask(asked, self.seating.invitations.presence.untold(asked))
            return
        given = press.target, press.user_id, press.message_id, press.changes
        await self._show_match(press, await self.own_threads.with_venue(self.seating.start, *given))

    @verbs("here")
    async def _ready(self, press: ComponentPress) -> None:
        if await self._was_closed(press):
            return
        given = press.target, press.user_id, press.message_id, press.changes
        begun = await self.own_threads.with_venue(self.seating.ready, *given)
        if isinstance(begun, LiveMatch):
            await self._show_match(press, begun)
        else:
            await self.messages.show(press, begun, InvitationState.OPEN)

    async def _was_closed(self, press: ComponentPress) -> bool:
        """As `InvitationMessages.was_closed`; a match begins on its public message alone."""
        if press.in_private:
            raise custom_ids.UnknownCustomId("a match can't begin on a message that others don't see")
        return await self.messages.was_closed(press)

    async def _show_match(self, press: ComponentPress, match: LiveMatch) -> None:
        """Turn the invitation's message into the board, or into a link to the thread where the match is played."""
        messages = self.messages
        messages.ready_questions.settle(match.id)
        invitation, _ = await messages.finder.invitation(press.interaction, match.id)
        if invitation.auto_start and press.verb == "join":
            self.notices.begun(match, match.seats.index(press.user_id))
        await messages.wording.load(match.guild_id, match.seats)
        if match.channel_id != invitation.channel_id:
            self.own_threads.add_players(match)
            await messages.show(press, invitation, InvitationState.ACCEPTED)
            return
        await self.boards.answer(press.interaction, match)
        if invitation.in_thread:
            say = press.words
            await press.reply_text(say("thread.not_begun"))


@dataclass(slots=True, eq=False)
class InvitationChanges(Capability):
    """What the buttons of an invitation do that leave it open or close it, most of them behind its *More…*."""

    verbs = Verbs()

    messages: InvitationMessages
    seating: Seating

    @verbs("decline", "cancel")
    async def _turn_down(self, press: ComponentPress) -> None:
        if await self.messages.was_closed(press):
            return
        current, _ = await self.messages.finder.invitation(press.interaction, press.target)
        if press.verb == "decline" and current.host_id == press.user_id:
            raise Refused("challenge.decline_not_yours")
        if press.verb == "cancel" and current.kind is InvitationKind.CHALLENGE and press.user_id in current.invited:
            raise Refused("challenge.cancel_not_yours")
        invitation, state = await self.seating.turn_down(press.target, press.user_id)
        is_empty = invitation.kind is InvitationKind.TABLE and people(invitation.seated) == (invitation.host_id,)
        if is_empty and state is not InvitationState.OPEN and not is_chat(invitation.guild_id):
            await self.messages.delete(press, invitation)
        else:
            await self.messages.show(press, invitation, state)

    @verbs("getup")
    async def _get_up(self, press: ComponentPress) -> None:
        if not await self.messages.was_closed(press):
            await self.messages.show(press, *await self.seating.leave(press.target, press.user_id))

    @verbs("kick")
    async def _kick(self, press: ComponentPress) -> None:
        kicked = custom_ids.read_seated(press.arg)
        if not await self.messages.was_closed(press):
            shown = await self.seating.kick(press.target, press.user_id, kicked)
            await self.messages.show(press, *shown)

    @verbs("ask", writes=Whose.INVITED)
    async def _ask(self, press: ComponentPress) -> None:
        if await self.messages.was_closed(press):
            return
        guests = chosen_members(press.interaction)
        check_may_store(press.interaction, guests)
        invitation = await self.seating.ask(press.target, press.user_id, guests)
        await self.messages.show(press, invitation, InvitationState.OPEN)

    @verbs("addcomputer")
    async def _add_computer(self, press: ComponentPress) -> None:
        if await self.messages.was_closed(press):
            return
        invitation = await self.seating.add_computer(press.target, press.user_id, press.arg)
        await self.messages.show(press, invitation, InvitationState.OPEN)


def chosen_members(interaction: Interaction) -> tuple[int, ...]:
    """The ids of the people chosen from a list.

    Raises Refused for bots and for people who are not in the server, and UnknownCustomId. Nobody says who is in a chat.
    """
    match dict(interaction.data or {}):
        case {"values": [_, *_] as chosen, "resolved": {"users": dict(users), **more}}:
            members = more.get("members")
        case _:
            raise custom_ids.UnknownCustomId("nobody was chosen")
    guests = tuple(custom_ids.read_user(each) for each in chosen)
    for each in chosen:
        match users.get(each):
            case {"bot": True}:
                raise Refused("challenge.a_bot")
        in_server = isinstance(members, dict) and each in members
        if interaction.guild_id is not None and not in_server:
            raise Refused("challenge.absent")
    return guests
