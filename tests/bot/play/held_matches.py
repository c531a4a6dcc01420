"""Matches in which seats are handed over and time runs out, played by the bot's own `LiveMatch` on a log in memory; and
whether the bot would have made a given log."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any, cast

from bot.play.computers.levels import version_of
from bot.play.computers.stand_ins import TakenBack, TakenOver
from bot.play.deals.match_export import ExportedMatch
from bot.play.live_match import LiveMatch
from bot.play.match_state import codec
from bot.play.refusals import Refused
from bot.store import verification
from bot.store.queries.invitations import StandIn
from bot.store.queries.matches import MatchRow, Record, Result, TimerRow
from bot.store.special_ids import computer_id
from bot.store.store import Store
from bot.telemetry import NO_TELEMETRY
from engines.game import IllegalAction, Resign, Seat, TimeUp
from laws.play import random_act
from tests.bot.play.exported import DEALT_AT, SEALED_AT, row_of, sealed
from tests.known import there


class LogInMemory:
    """As much of a store as a match needs that is played."""

    def __init__(self) -> None:
        self.kept: list[Record] = []
        self.ended: Result | None = None

    async def append(
        self, record: Record, _timers: Sequence[TimerRow], result: Result | None = None, *_more: object
    ) -> None:
        """Keep a record, chained, and the result."""
        before = self.kept[-1].chain if self.kept else verification.first_link(record.match_id)
        self.kept.append(replace(record, chain=verification.link_of(before, record)))
        self.ended = None if result is None else replace(result, chain=self.kept[-1].chain)

    async def records(self, _match_id: str) -> list[Record]:
        """The log."""
        return [*self.kept]

    async def match_of_interaction(self, _interaction_id: int) -> None:
        """No press is known."""
        return


class Playing:
    """A match being played, whose time is set."""

    def __init__(self, row: MatchRow) -> None:
        self.row, self.now, self.log = row, DEALT_AT, LogInMemory()
        self.store = cast("Store", self.log)
        self.match = LiveMatch(row, self.store, lambda: self.now, NO_TELEMETRY)

    async def begin(self) -> None:
        """Deal."""
        record, timers = self.match.deal()
        await self.log.append(record, timers)

    async def run_out(self) -> None:
        """Let the first time run out."""
        timer = min(self.match.position.timers, key=lambda each: each.deadline)
        self.now = max(self.now, timer.deadline)
        await self.match.run_out(timer)


@cache
def held(
    key: str,
    stand_in: StandIn,
    seed: int,
    *,
    computer: str | None = None,
    seats: int = 2,
    clock: str = "normal",
    pace: int = 5000,
) -> ExportedMatch:
    """A match that was played to its end, with hand-overs where the terms let them be. A `computer` of this level
    has the last seat. Acts come within `pace` ms, if no time runs out before."""
    setting = {"haymaker": "default", "ciq": "quick", "unbreakable": "short", "champions": "default"}[key]
    row = replace(row_of(key, setting, seats, seed), stand_in=stand_in, clock=clock)
    if computer is not None:
        row = replace(row, seats=(*row.seats[:-1], computer_id(computer)))
    return asyncio.run(_held(sealed(row), random.Random(f"{seed} {stand_in}"), pace))


async def _held(row: MatchRow, rng: random.Random, pace: int) -> ExportedMatch:
    playing = Playing(row)
    await playing.begin()
    while not playing.match.over:
        playing.match.mark_shown(playing.match.window_number)
        due = min(timer.deadline for timer in playing.match.position.timers)
        playing.now = max(playing.now, min(playing.now + rng.randint(1, pace), due))
        try:
            if playing.now >= due:
                await playing.run_out()
            else:
                await _go_on(playing, rng)
        except (Refused, IllegalAction):
            continue
    return ExportedMatch(row, tuple(playing.log.kept), there(playing.log.ended), SEALED_AT)


async def _go_on(playing: Playing, rng: random.Random) -> None:
    match, chosen = playing.match, rng.random()
    seat = rng.choice(sorted(match.awaited))
    level = match.acting_level(seat)
    if match.stand_in is not StandIn.OFF and chosen < 0.05:
        await match.let_play(rng.randrange(len(match.seats)), 1)
    elif match.stand_in is not StandIn.OFF and chosen < 0.1:
        await match.take_back(rng.randrange(len(match.seats)), 1)
    elif (match.stand_in is not StandIn.OFF and chosen < 0.16) or (level is None and match.has_stand_in(seat)):
        await playing.run_out()
    else:
        act = random_act(match.choices(seat), rng)
        await match.act(seat, act, computer=None if level is None else version_of(match.game.info.key, level))


# ---------------------------------------------------------------------------------------------- what the bot allows


def would_be_made(row: MatchRow, records: Sequence[Record]) -> bool:
    """Whether the bot makes exactly this log if everybody does what it says at the times that it says. The log is
    chained."""
    return asyncio.run(_would_be_made(row, records))


async def _would_be_made(row: MatchRow, records: Sequence[Record]) -> bool:
    playing = Playing(row)
    await playing.begin()
    written = codec(row.game)
    for record in records[1:]:
        playing.match.mark_shown(playing.match.window_number)
        playing.now = record.at
        try:
            await _make(playing, record.actor, written.decode(record.action or ""), record.computer)
        except (Refused, IllegalAction):
            return False
        if playing.log.kept[-1].chain != record.chain:
            return False
    return True


async def _make(playing: Playing, actor: Seat | None, action: Any, computer: str | None) -> None:
    match = playing.match
    if actor is not None and isinstance(action, TakenOver):
        await match.let_play(actor, 1)
    elif actor is not None and isinstance(action, TakenBack):
        await match.take_back(actor, 1)
    elif isinstance(action, TakenOver | TimeUp):
        for timer in match.position.timers:
            if timer.deadline <= playing.now and isinstance(action, TakenOver) == bool(match.stand_ins_after(timer)):
                await match.run_out(timer)
                return
    elif actor is not None and (computer is not None or not match.has_stand_in(actor) or isinstance(action, Resign)):
        await match.act(actor, action, computer=computer)
