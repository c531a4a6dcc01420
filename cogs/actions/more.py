"""What *More…* opens, on every message that has it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.match_readers import Derivable
from bot.play.refusals import Refused
from bot.store.queries.invitations import InvitationState
from bot.ui.screen import Button, Press
from cogs.actions.component_press import Capability, ComponentPress, Verbs
from cogs.actions.finding import Finder
from cogs.actions.playing import with_way_back
from cogs.actions.seating import InvitationMessages
from cogs.screens.board import more_on_board
from cogs.screens.hands.boardless import more_on_hand
from cogs.screens.presenter import Presenters
from cogs.screens.result import more_about
from cogs.wording import Readers


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
            screen = more_about(match, presenter, reader, seat, may_look=may >= Derivable.TABLE)
            if not match.has_board and seat is not None:  # this replaces the result itself
                back = Button(press.words("button.previous"), Press("cards"))
                screen = replace(screen, rows=(*screen.rows, (back,)))
        elif match.has_board:
            screen = more_on_board(match, presenter, reader)
        else:
            screen = with_way_back(press, match, more_on_hand(match, presenter, reader))
        await press.reply(screen, match.id)
