"""`kill -9` after every kind of act: after a restart, the match continues from exactly there."""

from __future__ import annotations

import json
import random
import signal
import sqlite3
from pathlib import Path

from bot.ui.catalogue import translations
from discord_sandbox import MessageView, Person, Sandbox
from tests.end_to_end.players import CALL_OFF_ASKED, challenge, hand_of, move, press_where_it_is
from tests.faults.bot_process import UP_WITHIN, ForkedBot

say = translations("en")

KINDS = frozenset({"attack", "haymaker", "block", "reversal", "TakeHit", "Pass", "Keep"})
MOST_MATCHES = 12
MOST_MOVES = 150


def last_act(folder: Path) -> str:
    """The kind of the act that was written down last."""
    with sqlite3.connect(f"file:{folder / 'cardroom.db'}?mode=ro", uri=True) as db:
        action, events = db.execute("SELECT action, events FROM records ORDER BY at DESC, seq DESC LIMIT 1").fetchone()
    db.close()
    kind: str = json.loads(action)["type"]
    if kind == "Attack":
        return "haymaker" if len(json.loads(action)["cards"]) > 1 else "attack"
    if kind == "Block":
        blocks = [event for event in json.loads(events) if event["type"] == "BlockLaid"]
        return "reversal" if blocks[0]["reversal"] else "block"
    return kind


def is_over(folder: Path) -> bool:
    """Whether no match is in play, as the answer to a move says that is saved; the board follows a moment later."""
    with sqlite3.connect(f"file:{folder / 'cardroom.db'}?mode=ro", uri=True) as db:
        (live,) = db.execute("SELECT count(*) FROM matches WHERE live = 1").fetchone()
    db.close()
    return not live


async def hands(people: list[Person], board: MessageView) -> list[MessageView]:
    return [await hand_of(person, board) for person in people]


async def test_a_match_continues_after_a_kill_at_every_kind_of_act(
    sandbox: Sandbox, forked_bot: ForkedBot, tmp_path: Path
) -> None:
    rng = random.Random(7)
    people, lobby = [sandbox.user("Alice"), sandbox.user("Bob")], sandbox.channel("lobby")
    survived: set[str] = set()
    await forked_bot.start()
    for _ in range(MOST_MATCHES):
        board = await challenge(people[0], people[1], lobby, clock="daily")
        await play_and_kill(forked_bot, people, board, tmp_path, rng=rng, survived=survived)
        if survived >= KINDS:
            break
    assert survived >= KINDS


async def play_and_kill(
    forked_bot: ForkedBot,
    people: list[Person],
    board: MessageView,
    folder: Path,
    *,
    rng: random.Random,
    survived: set[str],
) -> None:
    """Play a match; after each kind of act not yet survived, kill the bot and compare what is shown."""
    for _ in range(MOST_MOVES):
        shown = await hands(people, board)
        for person, hand in zip(people, shown, strict=True):
            reply = await move(person, hand, rng)
            if reply is not None:
                break
        else:
            return
        if is_over(folder):
            return
        kind = last_act(folder)
        if kind in survived:
            continue
        before = [hand.text for hand in await hands(people, board)]
        await forked_bot.stop(signal.SIGKILL)
        await forked_bot.start()
        after = [hand.text for hand in await hands(people, board)]
        assert after == before
        survived.add(kind)
    raise AssertionError("the match did not end")


async def test_challenge_agreement_and_resignation_survive_a_kill(
    sandbox: Sandbox, forked_bot: ForkedBot, tmp_path: Path
) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    await forked_bot.start()
    asked = await alice.slash(lobby, "haymaker challenge", opponent=bob)
    await forked_bot.stop(signal.SIGKILL)
    await forked_bot.start()
    board = (await bob.press(asked.message, label="Accept")).message
    before = [hand.text for hand in await hands([alice, bob], board)]
    await forked_bot.stop(signal.SIGKILL)
    await forked_bot.start()
    assert [hand.text for hand in await hands([alice, bob], board)] == before

    assert (await press_where_it_is(alice, board, "Call off")).text in CALL_OFF_ASKED
    await forked_bot.stop(signal.SIGKILL)
    await forked_bot.start()
    assert (await press_where_it_is(bob, board, "Call off")).text == say("calloff.done")
    await sandbox.wait_for(lambda: say("ending.called_off") in board.text, UP_WITHIN)

    board = await challenge(alice, bob, lobby)
    asked_again = await press_where_it_is(alice, board, "Resign")
    await alice.press(asked_again.message, label="Resign")
    await forked_bot.stop(signal.SIGKILL)
    await forked_bot.start()
    told = say("ending.resignation", loser="Alice")
    await sandbox.wait_for(lambda: told in board.text, UP_WITHIN)
