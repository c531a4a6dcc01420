"""The presses that show how reliably people play: those of an invitation, and one's own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bot.play.refusals import Refused
from bot.play.reliability import READ, clean_matches_needed, reliability, reliability_of
from bot.store.queries.invitations import InvitationState
from bot.store.special_ids import people
from bot.store.store import Store
from cogs.actions.component_press import Capability, ComponentPress, Verbs
from cogs.actions.finding import Finder
from cogs.reliability.screens import is_asked, own_screen, people_screen
from cogs.wording import Wording


@dataclass(slots=True, eq=False)
class ReliabilityPresses(Capability):
    """What the buttons about reliability do."""

    verbs = Verbs()

    finder: Finder
    store: Store
    wording: Wording
    now: Callable[[], int]

    @verbs("reliability")
    async def _of_invitation(self, press: ComponentPress) -> None:
        """Show how reliably those play who are in an open invitation, to somebody who is asked to sit with them."""
        user = press.user_id
        invitation, state = await self.finder.invitation(press.interaction, press.target)
        if state is not InvitationState.OPEN:
            raise Refused("challenge.closed")
        if not is_asked(invitation, user):
            raise Refused("reliability.not_asked")
        await self.wording.load_names(invitation)
        words, now = press.words, self.now()
        name = self.wording.invitation_names(invitation, words)
        involved = dict.fromkeys(people((invitation.host_id, *invitation.seated, *invitation.invited)))
        others = [
            (name(each), await reliability_of(self.store, invitation.guild_id, each, now))
            for each in involved
            if each != user
        ]
        own = await reliability_of(self.store, invitation.guild_id, user, now)
        await press.reply(people_screen(others, own, words), press.target)

    @verbs("ownreliable")
    async def _own(self, press: ComponentPress) -> None:
        """Show somebody's own reliability in the server where they pressed."""
        guild_id, now = press.server_id, self.now()
        attended = await self.store.attendances(guild_id, press.user_id, READ)
        found, needed = reliability(attended, now), clean_matches_needed(attended, now)
        screen = own_screen(found, needed, press.words)
        await press.reply(screen, press.target)
