"""Computers in a race after a restart, while its log is still being read."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest

from bot.computers.thinker import RuleOfThumb
from bot.games import GAMES
from bot.play.computers import races
from bot.play.computers.seats import ComputerSeats
from bot.play.live_match import LiveMatch
from bot.play.matchmaking.invitations import Proposal, Terms
from bot.store.queries.invitations import InvitationKind
from bot.store.special_ids import computer_id
from bot.telemetry import NO_TELEMETRY
from discord_sandbox.virtual_time import settle
from engines.game import Resign
from engines.players.levels import RACERS
from engines.players.pace import Gaps
from engines.players.question import Answer, Question
from laws.play import random_act
from tests.bot.play.parts import ANN, CHANNEL, GUILD, MESSAGE, Parts, press_ids


class Waiting:
    """Thinks until a test lets it answer."""

    def __init__(self) -> None:
        self.may, self.asked = asyncio.Event(), 0

    async def answer(self, question: Question, *, deadline_seconds: float | None) -> Answer:
        self.asked += 1
        await self.may.wait()
        return await RuleOfThumb().answer(question, deadline_seconds=deadline_seconds)

    async def close(self) -> None:
        return


class Resumed:
    """A race whose computer is taken up, while the store still reads its log."""

    def __init__(self, parts: Parts, match: LiveMatch, monkeypatch: pytest.MonkeyPatch) -> None:
        self.parts, self.match, self.thinker, self.is_read = parts, match, Waiting(), asyncio.Event()
        records, first = parts.store.records, [True]

        async def slow(*given: Any) -> Any:
            if first:
                first.clear()
                await self.is_read.wait()
            return await records(*given)

        monkeypatch.setattr(parts.store, "records", slow)
        self.seats = ComputerSeats(
            self.thinker,
            parts.store,
            settle=parts.clock.settle,
            changed=parts.observers.match_changed,
            scheduler=parts.scheduler,
            telemetry=NO_TELEMETRY,
        )
        parts.observers.add(self.seats)
        self.seats.resume((match,))

    async def read(self) -> None:
        """The log is read."""
        self.is_read.set()
        await settle()


async def race(parts: Parts) -> LiveMatch:
    terms = Terms(GUILD, CHANNEL, "tivmiv", GAMES["tivmiv"].info.options(), "blitz")
    computer = (computer_id("easy"),)
    table = await parts.inviting.invite(
        Proposal(terms, ANN, kind=InvitationKind.TABLE, computers=computer, private=True, at_once=True)
    )
    with parts.presses.take_up(table.id, next(press_ids)) as press:
        match = await parts.seating.start(table.id, ANN, MESSAGE, press)
    parts.clock.mark_shown(match, match.window_number)
    return match


async def test_a_race_that_ends_while_its_log_is_read_leaves_nothing(
    parts: Parts, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await race(parts)
    resumed = Resumed(parts, match, monkeypatch)
    await settle()
    await match.act(0, Resign())
    parts.clock.settle(match)
    parts.observers.match_changed(match)
    assert match.over
    await resumed.read()
    assert resumed.seats.idle
    await resumed.seats.close()


async def test_a_computer_that_sees_the_board_while_the_log_is_read_acts_once(
    parts: Parts, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await race(parts)
    resumed = Resumed(parts, match, monkeypatch)
    await settle()
    resumed.seats.board_shown(match, match.position)
    await settle()
    assert resumed.thinker.asked == 1
    await resumed.read()
    assert resumed.thinker.asked == 1
    await resumed.seats.close()


async def test_what_it_then_does_takes_as_long_as_the_people_of_the_log_took(
    parts: Parts, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await race(parts)
    busy = RACERS["tivmiv"].busy
    while match.own_acts.count(0) < 4 or 0 not in busy(match.public()):
        await parts.pass_time(1000)
        for seat in (0, 1):
            if match.choices(seat).offers:
                await match.act(seat, random_act(match.choices(seat), random.Random(1)))
                break
        parts.clock.settle(match)
    later, match = await parts.restarted()
    resumed = Resumed(later, match, monkeypatch)
    gaps = list[Gaps]()

    def reaction_ms(known: Gaps, *_: Any) -> int:
        gaps.append(known)
        return 60_000

    monkeypatch.setattr(races, "reaction_ms", reaction_ms)
    await settle()
    resumed.seats.board_shown(match, match.position)
    await resumed.read()
    resumed.thinker.may.set()
    await settle()
    assert [bool(each.seats[0]) for each in gaps] == [True]
    await resumed.seats.close()
    await later.close()
