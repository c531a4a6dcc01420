"""Workers as real processes: killed, stopped, too slow, and left without their bot (F-25)."""

# ruff: noqa: N802  a test's name has the number of its fault

from __future__ import annotations

import asyncio
import logging
import os
import re
import signal
import sys
import time
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import chain
from pathlib import Path

import pytest

from bot import games
from bot.computers import pool as pool_module
from bot.computers.pool import ANSWERED_WITHIN, MOST_DEATHS, WorkerPool
from bot.computers.thinker import SPARE_SECONDS, Thinker
from bot.computers.worker import NICENESS, request_of
from bot.games import GamePackage
from bot.ops.metrics import Metrics
from bot.workers import process as process_module
from bot.workers.serving import MOST_MEMORY, OUT_OF_MEMORY_SCORE, packed
from engines.haymaker import Haymaker
from engines.players.answering import answer, fallback
from engines.players.haymaker.player import PLAYER
from engines.players.levels import LEVELS
from engines.players.question import Answer, Question
from tests.bot.computers.contract import ThinkerContract
from tests.bot.computers.questions import (
    accepted,
    gone,
    long_position,
    long_question,
    some_questions,
)
from tests.figures import now

pytestmark = pytest.mark.real_time

TRIES = 2_000
"""How often a test looks for something, 10 ms apart."""
KILLED = 2
"""Workers killed in mid thought."""
ROOT = Path(__file__).parents[3]


class Duel(Haymaker):
    """Haymaker as another package has it."""

    info = replace(Haymaker.info, key="duel")


@asynccontextmanager
async def a_pool(workers: int = 1) -> AsyncIterator[tuple[WorkerPool, Metrics]]:
    """A pool that is closed at the end, with what it has reported."""
    metrics = Metrics()
    pool = WorkerPool(workers, metrics)
    try:
        yield pool, metrics
    finally:
        await pool.close()


async def until(happened: Callable[[], bool]) -> None:
    """Wait for something, 20 s at most."""
    for _ in range(TRIES):
        if happened():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it did not happen")


async def in_mid_thought(pool: WorkerPool) -> int:
    """Wait until the pool's worker thinks; its process id."""
    await until(lambda: bool(pool.processes))
    await asyncio.sleep(0.03)
    return pool.processes[0]


def quick_question() -> Question:
    """A question that takes no time."""
    return some_questions("haymaker", "normal", 1)[0]


def asking(pool: Thinker, question: Question, deadline_seconds: float | None = None) -> asyncio.Task[Answer]:
    """A question that is under way."""
    return asyncio.create_task(pool.answer(question, deadline_seconds=deadline_seconds))


def fallbacks(metrics: Metrics) -> dict[str, float]:
    """The answers by rules of thumb, by why; those that didn't happen left out."""
    name = "cardroom_computer_fallbacks_total why="
    return {key.removeprefix(name): value for key, value in now(metrics).items() if key.startswith(name) and value}


@pytest.fixture
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """All the time in the world, so that only its rollouts end a thought, however busy the machine is."""
    monkeypatch.setattr(pool_module, "ANSWERED_WITHIN", 3600.0)
    monkeypatch.setattr(pool_module, "LONGEST_WAIT", 7200.0)


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Little time to think, so that the test is soon over, but as much patience as a busy machine needs."""
    monkeypatch.setattr(pool_module, "ANSWERED_WITHIN", 0.4)
    monkeypatch.setattr(pool_module, "LONGEST_WAIT", 60.0)


@pytest.mark.usefixtures("unhurried")
class TestWorkerPool(ThinkerContract):
    @pytest.fixture
    async def thinker(self) -> AsyncIterator[Thinker]:
        async with a_pool() as (pool, _):
            yield pool


@pytest.mark.usefixtures("unhurried")
async def test_a_worker_answers_as_this_process_would() -> None:
    """Also with another order of sets: this process has other hashes than a worker."""
    questions = [some_questions(game, level, 3) for game, levels in LEVELS.items() for level in levels]
    async with a_pool() as (pool, metrics):
        for question in chain.from_iterable(questions):
            assert await pool.answer(question, deadline_seconds=None) == answer(question, lambda: False)
        assert fallbacks(metrics) == {}
        assert now(metrics)["cardroom_computer_answer_seconds_count"] == 3 * len(questions)


async def test_the_player_of_an_installed_game_needs_no_worker() -> None:
    games.add(GamePackage(Duel(), "", "", PLAYER), "a package")
    try:
        question = replace(quick_question(), game="duel")
        async with a_pool() as (pool, metrics):
            assert await pool.answer(question, deadline_seconds=None) == fallback(question)
            assert (pool.processes, fallbacks(metrics)) == ((), {})
    finally:
        games.remove("duel")
    assert "duel" not in LEVELS


@pytest.mark.usefixtures("unhurried")
async def test_workers_are_started_at_first_need_and_no_more_than_needed() -> None:
    async with a_pool(2) as (pool, _):
        assert pool.processes == ()
        for question in some_questions("haymaker", "normal", 3):
            await pool.answer(question, deadline_seconds=None)
        assert len(pool.processes) == 1
        thinking = [asking(pool, long_question(240)) for _ in range(3)]
        await asyncio.gather(*thinking)
        assert len(pool.processes) == 2


async def test_a_worker_has_no_secrets_and_few_rights_and_gives_way_to_the_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "a-token-nobody-may-read")
    monkeypatch.setenv("CARDROOM_PURGE_DAYS", "7")
    async with a_pool() as (pool, _):
        asking(pool, long_question())
        process = await in_mid_thought(pool)
        assert os.getpriority(os.PRIO_PROCESS, process) == min(19, os.getpriority(os.PRIO_PROCESS, 0) + NICENESS)
        assert (os.getsid(process), os.getpgid(process)) == (os.getsid(0), process)
        place = Path("/proc") / str(process)
        assert re.search(
            rf"^Max address space +{MOST_MEMORY} +{MOST_MEMORY} ", (place / "limits").read_text(), re.MULTILINE
        )
        assert (place / "oom_score_adj").read_text().strip() == OUT_OF_MEMORY_SCORE
        keys = {pair.partition(b"=")[0].decode() for pair in (place / "environ").read_bytes().split(b"\0") if pair}
        assert keys <= {"PYTHONPATH", "PYTHONHASHSEED", *process_module.KEPT_VARIABLES}
        assert (place / "cmdline").read_bytes().split(b"\0")[1:] == [b"-P", b"-m", b"bot.computers.worker", b""]
        assert {str(each.readlink()).partition(":")[0] for each in (place / "fd").iterdir()} == {"pipe", "/dev/null"}


@pytest.mark.usefixtures("unhurried")
async def test_F_25_questions_of_killed_workers_are_asked_again_and_have_the_same_answer() -> None:
    question = long_question(240)
    right = answer(question, lambda: False)
    async with a_pool() as (pool, metrics):
        for _ in range(KILLED // (MOST_DEATHS - 1)):
            thinking = asking(pool, question)
            for _ in range(MOST_DEATHS - 1):
                process = await in_mid_thought(pool)
                os.kill(process, signal.SIGKILL)
                await until(lambda process=process: process not in pool.processes)  # type: ignore[misc]  # a default
            assert (await thinking).act == right.act
        assert now(metrics)["cardroom_computer_workers_died_total"] == KILLED
        assert fallbacks(metrics) == {}


@pytest.mark.usefixtures("unhurried")
async def test_F_25_a_question_that_kills_its_workers_gets_the_rule_of_thumb(caplog: pytest.LogCaptureFixture) -> None:
    question = long_question()
    async with a_pool() as (pool, metrics):
        thinking = asking(pool, question)
        waiting = asking(pool, quick_question())
        with caplog.at_level(logging.WARNING):
            for _ in range(MOST_DEATHS):
                os.kill(await in_mid_thought(pool), signal.SIGKILL)
                await until(lambda: not pool.processes)
        assert await thinking == fallback(question)
        await waiting
        assert fallbacks(metrics) == {"worker": 1}
        assert caplog.messages == ["a worker for computer players died (signal 9)"] * MOST_DEATHS


@pytest.mark.usefixtures("hurried")
async def test_F_25_a_worker_that_hangs_is_killed_and_its_question_gets_the_rule_of_thumb(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pool_module, "HANGS_AFTER", 0.1)
    question = long_question()
    async with a_pool() as (pool, metrics):
        await pool.answer(quick_question(), deadline_seconds=None)
        (process,) = pool.processes
        os.kill(process, signal.SIGSTOP)
        assert await pool.answer(question, deadline_seconds=None) == fallback(question)
        await until(lambda: gone(process))
        assert fallbacks(metrics) == {"worker": 1}
        assert await pool.answer(quick_question(), deadline_seconds=None) == answer(quick_question(), lambda: False)


@pytest.mark.usefixtures("unhurried")
async def test_F_25_a_worker_that_died_while_idle_costs_nothing() -> None:
    first, second = some_questions("haymaker", "hard", 2)
    async with a_pool() as (pool, metrics):
        await pool.answer(first, deadline_seconds=None)
        os.kill(pool.processes[0], signal.SIGKILL)
        await until(lambda: not pool.processes)
        assert await pool.answer(second, deadline_seconds=None) == answer(second, lambda: False)
        assert fallbacks(metrics) == {}
        assert now(metrics)["cardroom_computer_workers_died_total"] == 1


@pytest.mark.parametrize(
    ("script", "reason"), [(None, "FileNotFoundError"), ("exit 1", "WorkerDied"), ("exec sleep 60", "WorkerDied")]
)
async def test_F_25_while_no_worker_starts_there_is_an_answer_at_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, tmp_path: Path, script: str | None, reason: str
) -> None:
    python = tmp_path / "python"
    if script is not None:
        python.write_text(f"#!/bin/sh\n{script}\n")
        python.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(python))
    monkeypatch.setattr(process_module, "READY_WITHIN", 0.1)
    question, other = some_questions("ciq", "hard", 2)
    async with a_pool() as (pool, metrics):
        thinking = asking(pool, question, SPARE_SECONDS + 0.5)
        await until(lambda: bool(caplog.messages))
        assert await pool.answer(other, deadline_seconds=None) == fallback(other)
        assert await thinking == fallback(question)
        assert fallbacks(metrics) == {"late": 1, "worker": 1}
    assert caplog.messages[0] == f"no worker for computer players starts ({reason}): trying again"


async def test_a_question_that_cannot_be_sent_gets_the_rule_of_thumb() -> None:
    question = replace(quick_question(), options=lambda: None)
    async with a_pool() as (pool, metrics):
        assert await pool.answer(question, deadline_seconds=None) == fallback(question)
        assert fallbacks(metrics) == {"error": 1}
        assert await pool.answer(quick_question(), deadline_seconds=None) == answer(quick_question(), lambda: False)


@pytest.mark.usefixtures("hurried")
async def test_the_rule_of_thumb_answers_a_second_before_the_deadline() -> None:
    """However slow the worker is: this one stands still."""
    question = long_question()
    async with a_pool() as (pool, metrics):
        await pool.answer(quick_question(), deadline_seconds=None)
        os.kill(pool.processes[0], signal.SIGSTOP)
        begun = time.monotonic()
        assert await pool.answer(question, deadline_seconds=SPARE_SECONDS + 0.2) == fallback(question)
        assert time.monotonic() - begun < SPARE_SECONDS + 0.2
        assert fallbacks(metrics) == {"late": 1}


async def test_the_time_to_think_ends_long_before_the_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    given = list[float]()

    def recorded(question: Question, seconds: float) -> bytes:
        given.append(seconds)
        return request_of(question, seconds)

    monkeypatch.setattr(pool_module, "request_of", recorded)
    async with a_pool() as (pool, _):
        for deadline_seconds, most in ((SPARE_SECONDS + 1.0, 0.5), (60.0, ANSWERED_WITHIN), (None, ANSWERED_WITHIN)):
            given.clear()
            while not given:  # a busy machine may take longer than the deadline to start a worker
                await pool.answer(quick_question(), deadline_seconds=deadline_seconds)
            assert 0 <= given[0] <= most


@pytest.mark.usefixtures("hurried")
async def test_under_load_thoughts_are_cut_short_and_all_questions_are_answered() -> None:
    """60 questions that need two minutes together."""
    position = long_position()
    async with a_pool() as (pool, metrics):
        found = await asyncio.gather(*(asking(pool, long_question()) for _ in range(60)))
        assert all(accepted(position, each) for each in found)
        assert now(metrics)["cardroom_computer_answers_cut_short_total"] == 60
        assert fallbacks(metrics) == {}


async def test_more_questions_than_may_wait_are_answered_by_the_rule_of_thumb(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool_module, "MOST_WAITING", 5)
    questions = some_questions("haymaker", "normal", 8)
    async with a_pool() as (pool, metrics):
        found = await asyncio.gather(*(asking(pool, question) for question in questions))
        assert found == [answer(question, lambda: False) for question in questions]
        assert fallbacks(metrics) == {"busy": 3}


async def test_a_question_that_is_given_up_waits_no_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool_module, "MOST_WAITING", 1)
    async with a_pool() as (pool, metrics):
        thinking = asking(pool, long_question())
        await in_mid_thought(pool)
        given_up = asking(pool, long_question())
        await asyncio.sleep(0)
        given_up.cancel()
        await asyncio.wait({given_up})
        assert given_up.cancelled()
        waiting = asking(pool, quick_question())
        await asyncio.sleep(0)
        assert fallbacks(metrics) == {}
        for task in (thinking, waiting):
            task.cancel()
        await asyncio.wait({thinking, waiting})


@pytest.mark.usefixtures("unhurried")
async def test_closing_ends_the_worker_in_mid_thought() -> None:
    async with a_pool() as (pool, _):
        thinking, waiting = asking(pool, long_question()), asking(pool, long_question())
        process = await in_mid_thought(pool)
        begun = time.monotonic()
        await pool.close()
        assert time.monotonic() - begun < 5
        assert gone(process)
        found = await asyncio.gather(thinking, waiting, return_exceptions=True)
        assert all(isinstance(each, asyncio.CancelledError) for each in found)


async def test_closing_ends_a_worker_that_stands_still() -> None:
    async with a_pool() as (pool, _):
        asking(pool, long_question())
        process = await in_mid_thought(pool)
        os.kill(process, signal.SIGSTOP)
        await pool.close()
        assert gone(process)


@pytest.mark.usefixtures("unhurried")
async def test_signals_to_stop_are_the_bots_business() -> None:
    """A service manager sends them to all processes at once; the bot then ends its workers."""
    question = long_question(240)
    async with a_pool() as (pool, metrics):
        thinking = asking(pool, question)
        process = await in_mid_thought(pool)
        for number in (signal.SIGINT, signal.SIGTERM):
            os.kill(process, number)
        assert (await thinking).act == answer(question, lambda: False).act
        assert pool.processes == (process,)
        assert now(metrics)["cardroom_computer_workers_died_total"] == 0


async def test_F_25_no_worker_outlives_a_bot_that_is_killed() -> None:
    bot = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.bot.computers.thinking_bot", cwd=ROOT, stdin=PIPE, stdout=PIPE
    )
    assert bot.stdin is not None
    assert bot.stdout is not None
    bot.stdin.write(packed(long_question(1_000_000)))
    bot.stdin.close()
    worker = int(await asyncio.wait_for(bot.stdout.readline(), 20))
    assert not gone(worker)
    bot.kill()
    await bot.wait()
    await until(lambda: gone(worker))
