"""F-1: `kill -9` while a round of a tournament begins and ends: it ends with the right standings all the same."""

# ruff: noqa: N802  a test's name bears the number of its fault

from __future__ import annotations

import asyncio
import signal
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.pairing.standings import table
from bot.ui.catalogue import translations
from cogs.screens import custom_ids
from cogs.tournaments import queries
from cogs.tournaments.rows import State, Whole
from discord_sandbox import MessageView, Person, Sandbox
from tests.end_to_end.test_tournaments import JOIN, opened
from tests.faults.bot_process import LATE, UP_WITHIN, ForkedBot
from tests.faults.kill_points import BEGINNING, ROUNDS

say = translations("en")
MY_CARDS = say("button.my_cards")


def kept(folder: Path) -> Whole:
    """The tournament, as another program reads it."""
    with closing(sqlite3.connect(f"file:{folder / 'cardroom.db'}?mode=ro", uri=True)) as db:
        ((guild_id, tournament_id),) = db.execute("SELECT guild_id, id FROM tournaments").fetchall()
        found = queries.whole(db, guild_id, tournament_id)
    assert found is not None
    return found


async def until_kept(folder: Path, round_: int) -> Whole:
    """The tournament once all matches of a round have begun, or it is over."""
    for _ in range(int(UP_WITHIN / 0.05)):
        whole = kept(folder)
        if whole.tournament.ended or (whole.tournament.round == round_ and all(each.legs for each in whole.in_round)):
            return whole
        await asyncio.sleep(0.05)
    raise TimeoutError(f"round {round_} never began")


def board(sandbox: Sandbox, match_id: str) -> MessageView | None:
    """The board of a match in play; None if it isn't there."""
    boards = [each for each in sandbox.channel("lobby").messages if each.text.startswith("### ")]
    buttons = [(each, each.find_button(MY_CARDS)) for each in boards]
    return next((each for each, cards in buttons if cards and custom_ids.read(cards.custom_id)[0] == match_id), None)


async def resign(people: list[Person], sandbox: Sandbox, match_id: str) -> None:
    """Have the one of a match resign whose name comes later."""
    await sandbox.wait_for(lambda: board(sandbox, match_id), UP_WITHIN)
    there = board(sandbox, match_id)
    assert there is not None
    loser = max((each for each in people if f"**{each.name}**" in there.text), key=lambda each: each.name)
    await loser.press(there, custom_id=f"g1:{match_id}:0:leave", force=True)


async def killed_and_started(sandbox: Sandbox, forked_bot: ForkedBot) -> None:
    """Wait until the bot was killed, and start it again."""
    assert await forked_bot.ended() == -signal.SIGKILL
    sandbox.advance(LATE)
    await forked_bot.start()


@pytest.mark.nightly  # two starts each
@pytest.mark.parametrize("step", ROUNDS)
async def test_F_1_a_kill_while_a_round_begins_or_ends(
    sandbox: Sandbox, forked_bot: ForkedBot, tmp_path: Path, step: str
) -> None:
    await forked_bot.start()
    people = [sandbox.user(name) for name in ("Alice", "Bob", "Carol", "Dave")]
    message = await opened(sandbox, people[0], sandbox.channel("lobby"), players=4, clock="daily")
    for person in people[:-1]:
        await person.press(message, label=JOIN)
    if step in BEGINNING:
        forked_bot.kill_at(step)
    joining = asyncio.create_task(people[-1].press(message, label=JOIN))
    if step in BEGINNING:
        await killed_and_started(sandbox, forked_bot)
    await joining
    for number in (1, 2):
        whole = await until_kept(tmp_path, number)
        if number == 1 and step not in BEGINNING:
            forked_bot.kill_at(step)
        matches = [leg.match_id for each in whole.in_round for leg in each.legs]
        presses = [asyncio.create_task(resign(people, sandbox, match)) for match in matches]
        if number == 1 and step not in BEGINNING:
            await killed_and_started(sandbox, forked_bot)
        await asyncio.gather(*presses)
        if number == 1 and step not in BEGINNING:
            for leg in [leg for each in kept(tmp_path).of_round(1) for leg in each.legs if leg.got is None]:
                await resign(people, sandbox, leg.match_id)  # a press that the kill swallowed
    whole = await until_kept(tmp_path, 3)
    assert whole.tournament.state is State.OVER
    assert [each.number for each in whole.rounds if each.ended_at is not None] == [1, 2]
    assert [len(each.legs) for each in whole.pairings] == [1, 1, 1, 1]
    rows = table(whole.tournament.format, whole.model, whole.played)
    assert [(row.user_id, row.points) for row in rows if row.place in {1, 4}] == [(people[0].id, 2), (people[3].id, 0)]
