"""F-1: `kill -9` at each step of a move, for each game, held against the log."""

# ruff: noqa: N802  a test's name bears the number of its fault

from __future__ import annotations

import asyncio
import random
import re
import signal
import sqlite3
from functools import partial
from pathlib import Path

import pytest

from bot.ui.catalogue import translations
from discord_sandbox import MessageView, Person, Reply, Sandbox
from engines import GAMES
from engines.options import takes
from tests.end_to_end.players import hand_of, move, press_where_it_is, sit_down
from tests.faults.bot_process import LATE, UP_WITHIN, ForkedBot
from tests.faults.kill_points import LASTING, OPENED, STEPS

say = translations("en")

MOST_TRIES = 120
"""Enough for a race's countdown to run out, and to find by chance the one of nine acts that a race may have open."""
LONGEST_REST = 0.5
"""Seconds."""


def log(folder: Path) -> list[tuple[object, ...]]:
    """The acts by people, whole, match by match, as another program reads them."""
    with sqlite3.connect(f"file:{folder / 'cardroom.db'}?mode=ro", uri=True) as db:
        rows: list[tuple[object, ...]] = db.execute(
            "SELECT records.* FROM records JOIN matches ON matches.id = match_id WHERE actor IS NOT NULL"
            " ORDER BY opened_at, seq"
        ).fetchall()
    db.close()
    return rows


def timeless(message: MessageView) -> str:
    """What a message and its picture say, the deadlines apart: they move by the time the bot was away."""
    pictures = re.findall(r"'description': (\"|')(.*?)\1", str(message.raw["components"]))
    return re.sub(r"<t:\d+:R>", "<t>", message.text) + "".join(said for _, said in pictures)


def long_seconds(game: str) -> dict[str, int]:
    """Each option of a race that is a time, and may be ten minutes, is."""
    found = takes(GAMES[game].info.options)
    return {name: 600 for name, taken in found.items() if name.endswith("seconds") and 600 in taken.values}


async def one_move(people: list[Person], board: MessageView, rng: random.Random, folder: Path) -> Reply:
    """Moves by whoever is offered one, the last person first, until one is written down or goes unanswered."""
    before = len(log(folder))
    for tries in range(MOST_TRIES):
        person = people[-1 - tries % len(people)]
        reply = await move(person, await hand_of(person, board), rng)
        if reply is not None and (reply.failed or len(log(folder)) > before):
            return reply
        await asyncio.sleep(min(LONGEST_REST, 0.05 * (tries // len(people))))
    hands = [(await hand_of(person, board)).text for person in people]
    raise AssertionError(f"nobody can move: {hands}")


async def start_and_repair(sandbox: Sandbox, forked_bot: ForkedBot, board: MessageView) -> None:
    """Start the bot and wait until it has edited this board."""
    sandbox.transcript.clear()
    await forked_bot.start()
    edited = ("PATCH", 200)
    await sandbox.wait_for(
        lambda: any(
            (each.method, each.status) == edited and each.path.endswith(f"/messages/{board.id}")
            for each in sandbox.transcript.requests
        ),
        UP_WITHIN,
    )


def is_over(board: MessageView) -> bool:
    """Whether the board is that of a finished match."""
    return "My cards" not in board.labels


async def killed_during(moving: asyncio.Task[Reply], forked_bot: ForkedBot) -> int:
    """Wait until the bot has ended; its exit code. Raises what the move raised, where there was none to make."""
    ending = asyncio.ensure_future(forked_bot.ended())
    await asyncio.wait({moving, ending}, return_when=asyncio.FIRST_COMPLETED)
    if moving.done() and (failure := moving.exception()) is not None:
        forked_bot.send(signal.SIGKILL)
        await ending
        raise failure
    return await ending


@pytest.mark.nightly  # seven starts each
@pytest.mark.parametrize("game", GAMES)
async def test_F_1_a_kill_at_each_step_of_a_move(
    sandbox: Sandbox, forked_bot: ForkedBot, tmp_path: Path, game: str
) -> None:
    rng = random.Random(5)
    await forked_bot.start()
    people = sandbox.people[: GAMES[game].info.seats[0]]
    time = {"clock": "daily"} if GAMES[game].info.turn_clock else long_seconds(game)
    sit = partial(sit_down, people, sandbox.channel("lobby"), game, **time)
    board = await sit()
    await one_move(people, board, rng, tmp_path)
    await forked_bot.stop(signal.SIGKILL)
    await start_and_repair(sandbox, forked_bot, board)
    for step in STEPS:
        people = people[1:] + people[:1]
        if is_over(board):  # in a short game the moves may end a match: the next are made in another
            board = await sit()
            await hand_of(people[0], board)  # by then the press that began it is done with, or its end would be killed
        before, shown = log(tmp_path), timeless(board)
        forked_bot.kill_at(step)
        moving = asyncio.create_task(one_move(people, board, rng, tmp_path))
        assert await killed_during(moving, forked_bot) == -signal.SIGKILL
        sandbox.advance(LATE)
        assert (await moving).failed is (step != "answered")
        after = log(tmp_path)
        assert after[: len(before)] == before
        assert len(after) == len(before) + (step in LASTING)

        await start_and_repair(sandbox, forked_bot, board)
        assert (timeless(board) != shown) is (step in LASTING)
        assert log(tmp_path) == after
    assert is_over(board) or not (await one_move(people, board, rng, tmp_path)).failed


async def test_F_1_a_kill_while_the_next_match_of_a_series_begins_c_9(
    sandbox: Sandbox, forked_bot: ForkedBot, tmp_path: Path
) -> None:
    await forked_bot.start()
    alice, bob = sandbox.people[:2]
    asked = await alice.slash(sandbox.channel("lobby"), "haymaker challenge", opponent=bob, series="3", clock="daily")
    board = (await bob.press(asked.message, label="Accept")).message
    question = await press_where_it_is(bob, board, "Resign")
    await bob.press(question.message, label="Resign")
    following = say("button.next_match")
    await sandbox.wait_for(lambda: following in board.labels, UP_WITHIN)
    waits = (await alice.press(board, label=following)).message
    forked_bot.kill_at(OPENED)
    pressing = asyncio.create_task(bob.press(board, label=following))
    assert await killed_during(pressing, forked_bot) == -signal.SIGKILL
    sandbox.advance(LATE)
    assert (await pressing).failed
    assert len(matches(tmp_path)) == 2
    await forked_bot.start()
    playing = say("series.playing", number=2, best_of=3, first="Bob", wins=0, losses=1, second="Alice")
    await sandbox.wait_for(lambda: playing in waits.text, UP_WITHIN)
    for person in (alice, bob):
        assert f"/{waits.id}" in (await person.press(board, label=following)).text
    assert len(matches(tmp_path)) == 2


def matches(folder: Path) -> list[str]:
    """The ids of all matches, as another program reads them."""
    with sqlite3.connect(f"file:{folder / 'cardroom.db'}?mode=ro", uri=True) as db:
        found = [match_id for (match_id,) in db.execute("SELECT id FROM matches")]
    db.close()
    return found
