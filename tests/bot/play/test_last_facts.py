"""What a live match keeps of its log, and who reads the rest."""

from __future__ import annotations

import asyncio
import random
from dataclasses import replace
from typing import Any

import pytest

from bot.play.facts import read_facts
from bot.play.facts.last_facts import BOARD_LINES, HAND_LINES, needed
from bot.play.facts.read_facts import ReadFacts
from bot.play.live_match import LiveMatch
from bot.store.queries.matches import Suspension
from cogs.games.haymaker import HaymakerPresenter
from cogs.screens import board
from cogs.screens.hands import hand
from cogs.screens.presenter import Reader
from engines.game import Event, Resign
from engines.haymaker import TurnBegun
from laws.bodies import bodies, match_after
from laws.hands import last_lines
from laws.play import random_match
from tests.bench import memory
from tests.bot.play.parts import Parts, an_act, on_turn, press_ids
from tests.failing_rules import raising
from tests.games.cases import case_of

LONG = 80
"""Acts after which a log is several times as large as what a match may hold."""


async def moved(match: LiveMatch, times: int) -> None:
    for _ in range(times):
        await match.act(on_turn(match), an_act(match), interaction_id=next(press_ids))


def test_no_screen_has_more_lines_than_a_match_keeps() -> None:
    assert board.LAST_SENTENCES <= BOARD_LINES
    assert max(hand.LOG_LINES, hand.STAND_IN_LINES) <= HAND_LINES


async def test_a_match_that_is_played_has_no_log(parts: Parts) -> None:
    match = await parts.opened()
    await moved(match, 3)
    with pytest.raises(RuntimeError, match="does not keep its log"):
        _ = match.events
    assert len(await match.read_events()) > len(match.last_facts())


async def test_a_match_that_has_ended_has_its_whole_log(parts: Parts) -> None:
    match = await parts.opened()
    await moved(match, 3)
    await match.act(0, Resign(), interaction_id=next(press_ids))
    assert match.over
    assert match.events == await match.read_events()
    assert len(match.events) > 10


async def test_a_match_that_was_called_off_has_its_whole_log(parts: Parts) -> None:
    match = await parts.opened()
    await moved(match, 2)
    await match.suspend(Suspension.MODERATED)
    assert await match.end_held()
    assert match.events == await match.read_events()


def test_a_live_match_is_as_small_after_a_long_log() -> None:
    luck, case = random.Random(7), case_of("ciq")
    log = random_match(replace(case.deal("default", max(case.game.info.seats), luck), match_id="m"), luck, moves=LONG)
    stage = memory.Stage(log, len(log.moves) - 1, at_end=False)
    (held_by_it,) = memory.sizes([stage], memory.taken_up)
    assert held_by_it < memory.LIMIT * 1024
    match = match_after(log, len(log.moves) - 1)
    assert len(match.last_facts()) < 40


async def test_neither_a_move_nor_its_screens_read_the_log(parts: Parts, monkeypatch: pytest.MonkeyPatch) -> None:
    match = await parts.opened()

    monkeypatch.setattr(parts.store, "records", raising(AssertionError("the log was read")))
    await moved(match, 6)
    assert all(bodies(case_of("haymaker"), match, viewer) for viewer in (None, 0, 1))


# ---------------------------------------------------------------------------------------------- laws


class Talkative(HaymakerPresenter):
    """It has a line for what goes without saying."""

    def narrate(self, event: Event, reader: Reader) -> str | None:
        return "a turn" if isinstance(event, TurnBegun) else super().narrate(event, reader)


def test_the_law_finds_a_line_for_a_fact_that_is_not_kept() -> None:
    case = case_of("haymaker")
    log = random_match(case.deal("default", 2, random.Random(1)), random.Random(1))
    last_lines.events_say_whether_they_are_narrated(case, log)
    with pytest.raises(AssertionError, match="TurnBegun"):
        last_lines.events_say_whether_they_are_narrated(replace(case, presenter=Talkative()), log)


def test_the_law_finds_facts_that_are_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    case = case_of("haymaker")
    log = random_match(case.deal("default", 2, random.Random(1)), random.Random(1))
    last_lines.last_lines_need_only_kept_facts(case, log)
    monkeypatch.setattr("bot.play.facts.last_facts.needed", lambda facts, seats: needed(facts, seats)[1:])
    with pytest.raises(AssertionError):
        last_lines.last_lines_need_only_kept_facts(case, log)


# ---------------------------------------------------------------------------------------------- computers


class Reads:
    """The numbers from which logs were read."""

    def __init__(self, parts: Parts, monkeypatch: pytest.MonkeyPatch) -> None:
        self.first: list[int] = []
        self._records: Any = parts.store.records
        monkeypatch.setattr(parts.store, "records", self._noted)

    async def _noted(self, match_id: str, first: int = 0) -> object:
        self.first.append(first)
        await asyncio.sleep(0)
        return await self._records(match_id, first)


async def test_a_log_is_read_once_and_then_what_was_added(parts: Parts, monkeypatch: pytest.MonkeyPatch) -> None:
    match, reads, known = await parts.opened(), Reads(parts, monkeypatch), ReadFacts()
    await moved(match, 2)
    early = await known.up_to(match, 2)
    await moved(match, 2)
    assert await known.up_to(match, 4) == await match.read_events()
    assert await known.up_to(match, 2) == early == await match.read_events(2)
    assert reads.first == [0, 3, 0, 0]


async def test_two_who_ask_at_once_read_no_fact_twice(parts: Parts, monkeypatch: pytest.MonkeyPatch) -> None:
    match, known = await parts.opened(), ReadFacts()
    Reads(parts, monkeypatch)
    await moved(match, 3)
    first, second = await asyncio.gather(known.up_to(match, 3), known.up_to(match, 2))
    assert (first, second) == (await match.read_events(), await match.read_events(2))
    assert await known.up_to(match, 3) == first


async def test_few_logs_are_kept_and_none_of_a_match_that_is_over(
    parts: Parts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(read_facts, "REMEMBERED", 1)
    first, second, known = await parts.opened(), await parts.opened(), ReadFacts()
    for match in (first, second, first):
        assert await known.up_to(match, 0) == await match.read_events()
        assert len(known) == 1
    known.forget(second.id)
    assert len(known) == 1
    known.forget(first.id)
    assert len(known) == 0
