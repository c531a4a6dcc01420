"""A slow match of Haymaker, and what its players plan in it."""

from __future__ import annotations

import random
from typing import Any, cast

from bot.play.live_match import LiveMatch
from bot.play.own_acts import SeenQuestion
from bot.telemetry import NO_TELEMETRY
from bot.ui.catalogue import translations
from cogs.conditions.making import LATEST, Conditions, PlanNotes
from cogs.conditions.queries import ConditionalMove, ConditionQueries
from cogs.games.ciq import CIQPresenter
from cogs.games.haymaker import HaymakerPresenter
from engines import haymaker
from engines.cards import Card
from engines.game import Seat
from tests.bot.play.parts import ANN, BOB, Parts, on_turn, press_ids

say = translations("en")
PRESENTERS = {"haymaker": HaymakerPresenter(), "ciq": CIQPresenter()}
LATE = round(LATEST * 1000) + 1000
"""Milliseconds after which every question was looked at."""


class Table:
    """A slow match between two, with what makes their planned moves."""

    def __init__(self, parts: Parts, match: LiveMatch) -> None:
        self.parts = parts
        self.match = match
        self.queries = ConditionQueries(parts.store)
        self.conditions = conditions(parts)
        self.attacker = on_turn(match)
        self.waiting: Seat = 1 - self.attacker

    @classmethod
    async def laid(cls, parts: Parts, **terms: Any) -> Table:
        match = await parts.opened(ANN, BOB, **{"clock": "daily", **terms})
        table = cls(parts, match)
        table.conditions.match_changed(match)
        return table

    def hand(self, seat: Seat) -> tuple[Any, ...]:
        held: tuple[Any, ...] = self.match.private(seat).own.hand
        return held

    async def plan(self, occasion: str, action: Any, verb: str = "block") -> bool:
        """What the waiting player plans."""
        match, seat = self.match, self.waiting
        move = ConditionalMove(
            match.id,
            seat,
            1,
            match.guild_id,
            match.seats[seat],
            match.own_acts.count(seat),
            occasion,
            verb,
            match.game.write(action),
        )
        return await self.queries.add(move)

    async def press(self, seat: Seat, verb: str, action: Any) -> None:
        """Make a move as a person does."""

        async def meant(_: object) -> Any:
            return action

        with self.parts.presses.take_up(self.match.id, next(press_ids)) as press:
            await press.answer(self.match, seat, verb, SeenQuestion(self.match.window_number), meant)

    async def attack(self, *cards: Card) -> None:
        """The opponent attacks, with their lowest card unless others are named."""
        chosen = cards or (min(self.hand(self.attacker), key=lambda card: card.rank),)
        await self.press(self.attacker, "attack", haymaker.Attack(chosen))

    async def kept(self) -> list[ConditionalMove]:
        return await self.queries.of_match(self.match.id)

    async def note(self) -> str:
        return await PlanNotes(self.queries, PRESENTERS).note(self.match, self.waiting, say)

    def highest(self) -> Card:
        """The waiting player's highest card."""
        return cast("Card", max(self.hand(self.waiting), key=lambda card: card.rank))

    async def later(self) -> None:
        await self.parts.pass_time(LATE)

    async def restarted(self) -> Table:
        """The same in another process, on the same data."""
        await self.conditions.close()
        others = Parts(self.parts.store, self.parts.scheduler, 2)
        table = Table.__new__(Table)
        table.parts, table.queries = others, self.queries
        table.conditions = conditions(others)
        await others.restorer.begin()
        await table.conditions.resume()
        await others.restorer.run()
        (table.match,) = others.registry.live()
        table.attacker, table.waiting = self.attacker, self.waiting
        return table


def conditions(parts: Parts) -> Conditions:
    """What makes planned moves, with luck of its own."""
    made = Conditions(
        ConditionQueries(parts.store),
        parts.registry,
        parts.presses,
        PRESENTERS,
        admission=parts.invitations.admission,
        scheduler=parts.scheduler,
        telemetry=NO_TELEMETRY,
        _random=random.Random(1),
    )
    parts.observers.add(made)
    return made
