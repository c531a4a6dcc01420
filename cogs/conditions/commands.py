"""What the buttons do with which a player plans moves."""

from __future__ import annotations

from dataclasses import dataclass

from bot.play.refusals import translate_errors
from cogs.actions.component_press import Capability, ComponentPress, Verbs
from cogs.actions.playing import Hands
from cogs.conditions.plans import may_plan, open_moves, planning
from cogs.conditions.queries import MOST, ConditionalMove, ConditionQueries
from cogs.conditions.screens import Begun, Planning, action_of, move_screen, plans_screen
from cogs.screens import custom_ids


@dataclass(slots=True, eq=False)
class PlanAhead(Capability):
    """Planning what to do when something happens, while a slow match waits for others.

    Cards are named by their indexes in the hand. So a press from before the last move plans nothing, and shows what is
    planned now.
    """

    verbs = Verbs()

    queries: ConditionQueries
    hands: Hands

    @verbs("plan")
    async def _plan(self, press: ComponentPress) -> None:
        asked = await self._asked(press)
        if asked is not None:
            await self._show(press, asked)

    @verbs("plancards")
    async def _cards(self, press: ComponentPress) -> None:
        asked = await self._asked(press, fresh=True)
        if asked is not None:
            await press.reply(move_screen(asked, Begun.read(press.arg)), asked.match.id)

    @verbs("plansave")
    async def _save(self, press: ComponentPress) -> None:
        asked = await self._asked(press, fresh=True)
        if asked is None:
            return
        begun = Begun.read(press.arg)
        action = action_of(asked, begun)
        if action is None:
            await press.reply(move_screen(asked, begun), asked.match.id)
            return
        match, seat = asked.match, asked.seat
        move = ConditionalMove(
            match_id=match.id,
            seat=seat,
            number=1,
            guild_id=match.guild_id,
            user_id=press.user_id,
            acts=match.own_acts.count(seat),
            occasion=begun.occasion,
            verb=begun.verb,
            move=match.game.write(action),
        )
        added = await translate_errors(self.queries.add(move))
        await self._show(press, asked, "" if added else press.words("plan.full", most=MOST))

    @verbs("plandrop")
    async def _drop(self, press: ComponentPress) -> None:
        asked = await self._asked(press, fresh=True)
        if asked is not None:
            number = custom_ids.read_page(press.arg)
            await translate_errors(self.queries.drop(asked.match.id, asked.seat, number))
            await self._show(press, asked)

    async def _asked(self, press: ComponentPress, *, fresh: bool = False) -> Planning | None:
        """Who plans. None if they have been answered: they can't plan now, or the press must be `fresh` and the match
        has moved on since."""
        match, seat = await self.hands.seated(press, press.target)
        presenter = planning(match, self.hands.presenters[match.game.info.key])
        if presenter is None or not may_plan(match, seat):
            await self.hands.show(press, match, seat, note=press.words("plan.not_now"))
            return None
        reader = await self.hands.readers.pressing(press.interaction, match, seat)
        asked = Planning(match, seat, presenter, reader)
        if fresh and press.window != match.window_number:
            await self._show(press, asked, press.words("press.stale"))
            return None
        return asked

    async def _show(self, press: ComponentPress, asked: Planning, note: str = "") -> None:
        kept = await translate_errors(self.queries.of_match(asked.match.id))
        planned = open_moves(asked.match, asked.seat, kept)
        await press.reply(plans_screen(asked, planned, note), asked.match.id)
