"""What *More…* opens, on every message that has it."""

from __future__ import annotations

from dataclasses import dataclass

from bot.match_readers import Derivable
from bot.play.refusals import Refused
from cogs.actions.component_press import Capability, ComponentPress, Verbs
from cogs.actions.finding import Finder
from cogs.screens.board import more_on_board
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

    @verbs("more")
    async def _more(self, press: ComponentPress) -> None:
        match = await self.finder.matches.find(press.target)
        may = Derivable.NOTHING if match is None else await self.finder.may_derive(press.interaction, match)
        if match is None or may is Derivable.NOTHING:
            raise Refused("match.unknown")
        reader = await self.readers.pressing(press.interaction, match, None)
        presenter = self.presenters[match.game.info.key]
        if match.over:
            self.finder.days.check_open(match)
            screen = more_about(match, presenter, reader, may_look=may >= Derivable.TABLE)
        else:
            screen = more_on_board(match, presenter, reader)
        await press.reply(screen, match.id)
