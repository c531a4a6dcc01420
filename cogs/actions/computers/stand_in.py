"""Presses that let a computer play a seat on, and that take the seat back (C-8)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeAlias

from bot.play.live_match import LiveMatch
from bot.play.refusals import Refused
from bot.store.rows.invitations import StandIn
from cogs.actions.component_press import Capability, ComponentPress, Verbs
from cogs.actions.hands import Hands
from cogs.interactions import responses
from cogs.screens.hands.held import ask_screen
from engines.game import Seat

Seated: TypeAlias = Callable[[ComponentPress, str], Awaitable[tuple[LiveMatch, Seat]]]
"""Finds the match of an id, and the seat of who pressed. Raises Refused for somebody who does not play."""


class StandInPresses(Capability):
    """What the buttons around an absent seat do."""

    verbs = Verbs()

    def __init__(
        self,
        hands: Hands,
    ) -> None:
        self._hands = hands

    @verbs("handover")
    async def _ask(self, press: ComponentPress) -> None:
        """Say what it means before a computer takes over."""
        match, seat = await self._hands.seated(press, press.target)
        if match.over:
            raise Refused("match.over")
        if match.stand_in is StandIn.OFF:
            raise Refused("press.not_offered")
        if match.has_stand_in(seat):
            await self._hands.show(press, match, seat)
            return
        screen = ask_screen(match, responses.translations_for(press.interaction))
        await responses.reply_private(press.interaction, screen, match.id)

    @verbs("standin")
    async def _let_play(self, press: ComponentPress) -> None:
        match, seat = await self._hands.seated(press, press.target)
        note, done = "", False
        try:
            done = await press.changes.let_play(match, seat)
        except Refused as refused:
            note = responses.translations_for(press.interaction)(refused.key, **refused.values)
        await self._hands.show(press, match, seat, note="" if match.has_stand_in(seat) else note, resting=done)

    @verbs("takeback")
    async def _take_back(self, press: ComponentPress) -> None:
        match, seat = await self._hands.seated(press, press.target)
        say, done = responses.translations_for(press.interaction), False
        try:
            done = await press.changes.take_back(match, seat)
            note = say("stand_in.back") if done else ""
        except Refused as refused:
            note = say(refused.key, **refused.values)
        await self._hands.show(press, match, seat, note=note, resting=done)
