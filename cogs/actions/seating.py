"""Presses on invitations: sitting down, leaving, starting."""

from __future__ import annotations

from dataclasses import dataclass

from bot.play.live_match import LiveMatch
from bot.play.matchmaking.seating import Seating
from bot.play.refusals import Refused
from bot.play.server_settings import KnownServerSettings
from bot.store.queries.invitations import Invitation, InvitationKind, InvitationState
from bot.store.special_ids import people
from cogs.actions.challenging import check_roles
from cogs.actions.component_press import Capability, ComponentPress, Verbs
from cogs.actions.finding import Finder
from cogs.actions.own_threads import OwnThreads
from cogs.interactions.responses import Interaction, ack, edit_source
from cogs.interactions.whose_rows import Whose, check_may_store
from cogs.public_screens import PublicScreens
from cogs.screens import custom_ids
from cogs.updates.ready_questions import ReadyQuestions
from cogs.updates.screen_updates import ScreenUpdates
from cogs.wording import Wording


@dataclass(slots=True, eq=False)
class SeatingPresses(Capability):
    """What the buttons of an invitation do."""

    verbs = Verbs()

    finder: Finder
    seating: Seating
    server_settings: KnownServerSettings
    own_threads: OwnThreads
    public_screens: PublicScreens
    wording: Wording
    updates: ScreenUpdates
    ready_questions: ReadyQuestions

    # ------------------------------------------------------------------------------------ sitting down

    @verbs("accept", "join")
    async def _sit(self, press: ComponentPress) -> None:
        if await self._was_closed(press):
            return
        check_roles(self.server_settings, press.interaction)
        given = press.target, press.user_id, press.message_id, press.changes
        joined = await self.own_threads.with_place(self.seating.take_seat, *given)
        if isinstance(joined, LiveMatch):
            await self._show_match(press, joined)
        else:
            await self._show(press, joined, InvitationState.OPEN)

    @verbs("start")
    async def _start(self, press: ComponentPress) -> None:
        if await self._was_closed(press):
            return
        asked = await self.seating.ask_ready(press.target, press.user_id)
        if asked is not None:
            await self._show(press, asked, InvitationState.OPEN)
            self.ready_questions.ask(asked, self.seating.invitations.presence.untold(asked))
            return
        given = press.target, press.user_id, press.message_id, press.changes
        await self._show_match(press, await self.own_threads.with_place(self.seating.start, *given))

    @verbs("here")
    async def _ready(self, press: ComponentPress) -> None:
        if await self._was_closed(press):
            return
        given = press.target, press.user_id, press.message_id, press.changes
        begun = await self.own_threads.with_place(self.seating.ready, *given)
        if isinstance(begun, LiveMatch):
            await self._show_match(press, begun)
        else:
            await self._show(press, begun, InvitationState.OPEN)

    async def _show_match(self, press: ComponentPress, match: LiveMatch) -> None:
        self.ready_questions.settle(match.id)
        """Turn the invitation's message into the board, or into a link to the thread where the match is played."""
        await self.wording.load(match.guild_id, match.seats)
        invitation, _ = await self.finder.invitation(press.interaction, match.id)
        if invitation.auto_start and press.verb == "join":
            self.updates.notices.begun(match, match.seats.index(press.user_id))
        if match.channel_id != invitation.channel_id:
            self.own_threads.add_players(match)
            await self._show(press, invitation, InvitationState.ACCEPTED)
            return
        seen = match.position
        made = await edit_source(press.interaction, self.public_screens.board(match), match.id)
        self.updates.board_updater.note_answered(press.interaction)
        self.updates.board_updater.note_shown(match, made, seen)
        if invitation.in_thread:
            say = press.words
            await press.reply_text(say("thread.not_begun"))

    # ------------------------------------------------------------------------------------ getting up

    @verbs("decline", "cancel")
    async def _turn_down(self, press: ComponentPress) -> None:
        if await self._was_closed(press):
            return
        current, _ = await self.finder.invitation(press.interaction, press.target)
        if press.verb == "decline" and current.host_id == press.user_id:
            raise Refused("challenge.decline_not_yours")
        if press.verb == "cancel" and current.kind is InvitationKind.CHALLENGE and press.user_id in current.invited:
            raise Refused("challenge.cancel_not_yours")
        invitation, state = await self.seating.turn_down(press.target, press.user_id)
        if invitation.kind is InvitationKind.TABLE and people(invitation.seated) == (invitation.host_id,):
            await self._delete(press, invitation)
        else:
            await self._show(press, invitation, state)

    @verbs("getup")
    async def _get_up(self, press: ComponentPress) -> None:
        if not await self._was_closed(press):
            await self._show(press, *await self.seating.leave(press.target, press.user_id))

    @verbs("kick")
    async def _kick(self, press: ComponentPress) -> None:
        kicked = custom_ids.read_seated(press.arg)
        if not await self._was_closed(press):
            shown = await self.seating.kick(press.target, press.user_id, kicked)
            await self._show(press, *shown)

    @verbs("ask", writes=Whose.INVITED)
    async def _ask(self, press: ComponentPress) -> None:
        if await self._was_closed(press):
            return
        guests = _chosen_members(press.interaction)
        check_may_store(press.interaction, guests)
        invitation = await self.seating.ask(press.target, press.user_id, guests)
        await self._show(press, invitation, InvitationState.OPEN)

    @verbs("addcomputer")
    async def _add_computer(self, press: ComponentPress) -> None:
        if await self._was_closed(press):
            return
        invitation = await self.seating.add_computer(press.target, press.user_id, press.arg)
        await self._show(press, invitation, InvitationState.OPEN)

    # ------------------------------------------------------------------------------------ showing

    async def _was_closed(self, press: ComponentPress) -> bool:
        """If an invitation is no longer open, show how it ended. Returns whether it was closed.

        Raises Refused if it became a match, and UnknownCustomId for a press on another message than the invitation's.
        """
        invitation, state = await self.finder.invitation(press.interaction, press.target)
        if state is InvitationState.ACCEPTED:
            if not await self._is_in_thread(invitation):
                raise Refused("challenge.accepted_already")
            await self._show(press, invitation, state)  # the answer that did so was lost
            return True
        if invitation.message_id not in (None, press.message_id):
            raise custom_ids.UnknownCustomId("the invitation has another message, and this one must not be edited")
        if state is InvitationState.OPEN:
            return False
        await self._show(press, invitation, state)
        return True

    async def _is_in_thread(self, invitation: Invitation) -> bool:
        """Whether the match of an accepted invitation was begun in a thread of its own."""
        match = await self.finder.matches.find(invitation.id) if invitation.in_thread else None
        return match is not None and match.board_id != invitation.message_id

    async def _delete(self, press: ComponentPress, invitation: Invitation) -> None:
        """Delete the message of a table that its host closed before anybody joined: it says nothing to anyone."""
        self.ready_questions.settle(invitation.id)
        await ack(press.interaction)
        if press.message_id is not None:
            self.updates.invitations.delete(invitation, press.message_id)

    async def _show(self, press: ComponentPress, invitation: Invitation, state: InvitationState) -> None:
        if state is not InvitationState.OPEN:
            self.ready_questions.settle(invitation.id)
        await self.wording.load_names(invitation)
        await edit_source(press.interaction, self.public_screens.invitation(invitation, state), invitation.id)
        self.updates.board_updater.note_answered(press.interaction)
        current = self.seating.invitations.open_by_id(invitation.id)
        if state is InvitationState.OPEN and current is not None and _differ(current, invitation):
            self.updates.invitation_salted(current)


def _differ(current: Invitation, shown: Invitation) -> bool:
    """Whether an invitation was changed by something else, which this answer may have hidden."""
    return (current.host_id, current.invited, current.seated, current.salts) != (
        shown.host_id,
        shown.invited,
        shown.seated,
        shown.salts,
    )


def _chosen_members(interaction: Interaction) -> tuple[int, ...]:
    """The ids of the people chosen from a list.

    Raises Refused for bots and for people who are not in the server, and UnknownCustomId.
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
        if not isinstance(members, dict) or each not in members:
            raise Refused("challenge.absent")
    return guests
