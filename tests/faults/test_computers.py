"""The whole bot as a process, and its workers: stopped and killed while they think, and the bot killed, too (F-25)."""

# ruff: noqa: N802  a test's name has the number of its fault

from __future__ import annotations

import asyncio
import os
import random
import signal
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

import pytest

from bot.ops.metrics import Metrics
from bot.play.deals import proof
from bot.store.sqlite.store import SqliteStore
from bot.ui.catalogue import translations
from discord_sandbox import DrivenChannel, MessageView, Person, Sandbox
from tests.end_to_end.players import acts, move, picks, press_where_it_is, turns
from tests.faults.bot_process import ForkedBot

pytestmark = pytest.mark.real_time

say = translations("en")
TRIES = 6_000
"""How often a test looks for something, 10 ms apart."""
ASKED = 0.5
"""Seconds after which a worker has its question, if the machine is not too busy."""


async def until(happened: Callable[[], Awaitable[bool]]) -> None:
    """Wait for something, a minute at most."""
    for _ in range(TRIES):
        if await happened():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it did not happen")


def take_turns(processes: frozenset[int]) -> None:
    """Have workers, which step back for all others, get as much of a busy machine as these, where that is allowed."""
    for process in processes:
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, process, 0)


def workers(above: int) -> frozenset[int]:
    """The process ids of all workers below that process."""
    parents, found = {}, set()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parents[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            if b"bot.computers.worker\0" in (folder / "cmdline").read_bytes():
                found.add(int(folder.name))
        except (OSError, IndexError):  # it ended meanwhile
            continue

    def below(process: int) -> bool:
        while process in parents and process != above:
            process = parents[process]
        return process == above

    return frozenset(filter(below, found))


def rows(folder: Path, statement: str) -> list[tuple[object, ...]]:
    """What the database has, as another program reads it."""
    with sqlite3.connect(f"file:{folder / 'cardroom.db'}?mode=ro", uri=True) as db:
        found: list[tuple[object, ...]] = db.execute(statement).fetchall()
    db.close()
    return found


def computers_acts(folder: Path) -> int:
    """How many acts the computer has made."""
    ((count,),) = rows(folder, "SELECT count(*) FROM records WHERE computer IS NOT NULL")
    assert isinstance(count, int)
    return count


def persons_acts(folder: Path) -> int:
    """How many acts the person has made."""
    ((count,),) = rows(folder, "SELECT count(*) FROM records WHERE actor IS NOT NULL AND computer IS NULL")
    assert isinstance(count, int)
    return count


async def act(person: Person, hand: MessageView, rng: random.Random, folder: Path) -> None:
    """Make one move that counts. A bot that was killed can't edit a private hand before its next press."""
    made = persons_acts(folder)
    while persons_acts(folder) == made:
        assert await on_turn(hand)
        await move(person, hand, rng)


async def practice(person: Person, channel: DrivenChannel, game: str, **options: object) -> MessageView:
    """Begin a match against a computer; its person's hand."""
    return (await person.slash(channel, f"{game} practice", **options)).message


async def on_turn(hand: MessageView) -> bool:
    """Wait until something can be done with a hand. Returns whether the match goes on."""
    for _ in range(TRIES):
        if say("button.replay") in hand.labels:
            return False
        if acts(hand) or picks(hand) or turns(hand):
            return True
        await asyncio.sleep(0.05)
    raise AssertionError("nobody waits for this person")


async def check_log(folder: Path) -> None:
    """Nothing was lost or made twice: the log has no gap, and follows from its deal and its acts."""
    store = await SqliteStore.open(folder / "cardroom.db", now=lambda: 0, telemetry=Metrics())
    try:
        for (match_id,) in rows(folder, "SELECT id FROM matches"):
            row = await store.match(str(match_id))
            assert row is not None
            proof.check(row, await store.records(row.id))
            result = await store.result(row.id)
            assert result is None or result.kind != "time"
    finally:
        await store.close()


async def test_F_25_a_bot_that_is_killed_while_a_computer_thinks_has_it_act_once_after_the_start(
    sandbox: Sandbox, forked_bot: ForkedBot, tmp_path: Path
) -> None:
    alice, rng = sandbox.user("Alice"), random.Random(5)
    await forked_bot.start()
    hand = await practice(alice, sandbox.channel("lobby"), "unbreakable")
    for killed_after in (0.0, 0.5):
        made = -1
        while computers_acts(tmp_path) != made:  # on a busy machine it may have stopped thinking
            forked_bot.send(signal.SIGCONT)
            assert await on_turn(hand)
            made = computers_acts(tmp_path)
            await act(alice, hand, rng, tmp_path)
            await asyncio.sleep(killed_after)  # a computer pretends to think for 0.8 seconds at least
            forked_bot.send(signal.SIGSTOP)
        await forked_bot.stop(signal.SIGKILL)
        await forked_bot.start()

        async def has_acted(made: int = made) -> bool:
            return computers_acts(tmp_path) > made

        await until(has_acted)
    await forked_bot.stop()
    await check_log(tmp_path)


async def test_F_25_a_review_whose_worker_is_killed_is_worked_out_at_the_next_press(
    sandbox: Sandbox, forked_bot: ForkedBot
) -> None:
    alice, lobby = sandbox.user("Alice"), sandbox.channel("lobby")
    await forked_bot.start()
    hand = await practice(alice, lobby, "haymaker")
    assert await on_turn(hand)
    before = workers(forked_bot.pid)
    await alice.press(hand, label=say("button.hint"))

    async def shown() -> bool:  # on a busy machine the press is deferred, and the hint comes later
        return any("%" in message.text for message in lobby.for_only(alice))

    await until(shown)
    (reviewer,) = workers(forked_bot.pid) - before
    await move(alice, hand, random.Random(1))
    asked = await press_where_it_is(alice, hand, "Resign")
    await alice.press(asked.message, label="Resign")

    async def over() -> bool:
        return say("button.replay") in hand.labels

    await until(over)
    more = (await alice.press(hand, label=say("button.more"))).message
    os.kill(reviewer, signal.SIGSTOP)
    reviewing = asyncio.create_task(alice.press(more, label=say("button.review")))
    await asyncio.sleep(ASKED)
    os.kill(reviewer, signal.SIGKILL)
    answer = await reviewing

    async def refused() -> bool:
        return answer.text == say("review.later")

    await until(refused)
    again = await alice.press(more, label=say("button.review"))

    async def reviewed() -> bool:  # the answer may be deferred too, and a worker may come too late once more
        nonlocal again
        take_turns(workers(forked_bot.pid))
        if again.text == say("review.later"):
            again = await alice.press(more, label=say("button.review"))
        return say("review.title", game="Haymaker") in again.message.text

    await until(reviewed)
