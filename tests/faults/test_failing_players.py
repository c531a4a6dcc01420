"""Computer players that fail: their seats act all the same, and no match is lost on time (F-25)."""

# ruff: noqa: N802  a test's name has the number of its fault

from __future__ import annotations

import asyncio
import random
from typing import NoReturn

import pytest

from bot.computers.thinker import RuleOfThumb
from bot.play.computers import races, seats
from bot.play.live_match import LiveMatch
from discord_sandbox import Sandbox
from engines import GAMES
from engines.game import TimeUp
from engines.players import answering
from engines.players.levels import CHOOSERS, RACERS
from engines.players.question import Answer, Question
from tests.end_to_end.cardroom import Cardroom, eventually
from tests.end_to_end.players import hand_of, move
from tests.end_to_end.practising import only_match, says

MOST_MOVES = 400
ENOUGH = 6
"""Acts of a computer after which a match has shown that it goes on."""
TOLD = "the ace of spades"
"""The text of a planted error. It must not reach a log."""


def raises(*_: object, **__: object) -> NoReturn:
    """A player whose code fails."""
    raise ArithmeticError(TOLD)


async def raises_at_once(*_: object, **__: object) -> NoReturn:
    """A thinker whose code fails."""
    raises()


async def refused(_: RuleOfThumb, question: Question, *, deadline_seconds: float | None) -> Answer:
    """An act that the game can read, and that no player may make."""
    return Answer(GAMES[question.game].write(TimeUp("turn", "0")))


async def unreadable(*_: object, **__: object) -> Answer:
    """What is no act at all."""
    return Answer(TOLD)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Computers don't wait before they act."""
    monkeypatch.setattr(seats, "thinking_seconds", lambda _size, _luck: 0.0)
    monkeypatch.setattr(races, "reaction_ms", lambda *_: 0)


@pytest.fixture(params=[raises_at_once, refused, unreadable])
def wrong_answers(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """The thinker, which plays by rule of thumb here, answers wrongly."""
    monkeypatch.setattr(RuleOfThumb, "answer", request.param)


@pytest.mark.nightly  # a whole match each
@pytest.mark.parametrize("game", CHOOSERS)
async def test_F_25_a_player_whose_code_raises_makes_any_legal_act(
    sandbox: Sandbox, room: Cardroom, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, game: str
) -> None:
    monkeypatch.setattr(answering, "situation_of", raises)
    await play_on(sandbox, room, game)
    assert "ArithmeticError" in caplog.text
    assert TOLD not in caplog.text


@pytest.mark.nightly  # a whole match each
@pytest.mark.parametrize("game", ["haymaker", "tivmiv"])
@pytest.mark.usefixtures("wrong_answers")
async def test_F_25_an_answer_that_the_rules_refuse_is_replaced_by_any_legal_act(
    sandbox: Sandbox, room: Cardroom, caplog: pytest.LogCaptureFixture, game: str
) -> None:
    await play_on(sandbox, room, game)
    assert "making a computer's act" in caplog.text or "refused a computer's act" in caplog.text
    assert TOLD not in caplog.text


async def play_on(sandbox: Sandbox, room: Cardroom, game: str) -> None:
    """Play against a computer until it has made some acts."""
    alice = sandbox.user("Alice")
    board = (await alice.slash(sandbox.channel("lobby"), f"{game} practice")).message
    match, rng = await only_match(room), random.Random(7)
    await eventually(lambda: says(board, "More…"))
    for _ in range(MOST_MOVES):
        records = await room.store.records(match.id)
        if sum(record.actor == 1 for record in records) >= ENOUGH or match.over:
            assert match.result is None or match.result.kind != "time"
            return
        if game in RACERS:
            room.pass_time(2)
            await asyncio.sleep(0.02)
        await eventually(lambda: _has_acted(match))
        if 0 in match.awaited and await move(alice, await hand_of(alice, board), rng) is None:
            await asyncio.sleep(0.2)  # the hand is edited at most once a second
    raise AssertionError("the match does not go on")


async def _has_acted(match: LiveMatch) -> bool:
    return 1 not in match.awaited
