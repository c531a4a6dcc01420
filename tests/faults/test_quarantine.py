"""Logs that cannot be replayed: only their matches are quarantined, and they go on once they can be read again."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from bot.ui.catalogue import translations
from discord_sandbox import DrivenChannel, Person, Sandbox
from engines.game import Event
from engines.haymaker import Haymaker
from tests.end_to_end.cardroom import Cardroom, cardroom
from tests.end_to_end.exports import exported
from tests.end_to_end.players import OVER, asked_first, challenge, hand_of, move, plain_move
from tests.faults.database_file import DatabaseFile
from tests.upgrades.make import to_the_end

say = translations("en")


HARMS = {
    "text cut off": "UPDATE records SET events = substr(events, 1, 40) WHERE match_id = ?1 AND seq = 1",
    "no JSON": "UPDATE records SET events = 'torn' WHERE match_id = ?1 AND seq = 1",
    "a fact of a later version": (
        """UPDATE records SET events = '[{"type":"CardEaten","v":1}]' WHERE match_id = ?1 AND seq = 1"""
    ),
    "a field of a later version": (
        """UPDATE records SET events = replace(events, '"v":1', '"v":1,"mood":3') WHERE match_id = ?1 AND seq = 1"""
    ),
    "options of a later version": ("""UPDATE matches SET options = '{"type":"Options","v":9}' WHERE id = ?1"""),
}


@pytest.fixture
def file(tmp_path: Path) -> DatabaseFile:
    return DatabaseFile(tmp_path)


def people(sandbox: Sandbox) -> tuple[Person, Person, Person, DrivenChannel]:
    return sandbox.user("Alice"), sandbox.user("Bob"), sandbox.user("Carol"), sandbox.channel("lobby")


async def moved(room: Cardroom, pair: list[Person], board: Any, moves: int) -> str:
    """Make so many moves in the match whose board it is; its id."""
    (match,) = [each for each in room.app.matches.live() if each.board_id == board.id]
    for _ in range(moves):
        acting = min(match.awaited)
        mover = next(person for person in pair if person.id == match.seats[acting])
        assert not (await plain_move(mover, await hand_of(mover, board))).failed
    return match.id


@pytest.mark.nightly  # three starts each
@pytest.mark.parametrize("harm", HARMS)
async def test_only_a_match_whose_log_cannot_be_replayed_is_quarantined_until_it_can(
    sandbox: Sandbox, tmp_path: Path, file: DatabaseFile, caplog: pytest.LogCaptureFixture, harm: str
) -> None:
    alice, bob, carol, lobby = people(sandbox)
    async with cardroom(sandbox, tmp_path) as room:
        board = await challenge(alice, bob, lobby, clock="blitz")
        other = await challenge(carol, alice, lobby, clock="daily")
        match_id = await moved(room, [alice, bob], board, 2)
        (before,) = await room.store.timers(match_id)
    whole = file.saved()
    file.change_log(HARMS[harm], match_id)
    rows = file.rows(match_id)
    caplog.clear()
    async with cardroom(sandbox, tmp_path) as room:
        (quarantined,) = room.app.matches.quarantined(alice.id, lobby.server_id or 0)
        told = say("match.paused", number=quarantined.number)
        for person, label in ((alice, "My cards"), (bob, "My cards"), (carol, "Rules"), (alice, "More…")):
            reply = await person.press(board, label=label)
            assert (reply.visibility, told in reply.text) == ("ephemeral", True)
        games = (await alice.slash(lobby, "games")).text
        assert f"error number {quarantined.number}" in games
        assert "**Carol**" in games
        assert "error number" not in (await carol.slash(lobby, "games")).text

        (live,) = room.app.matches.live()
        assert live.id != match_id
        room.pass_time(600)  # far longer than a turn in blitz
        first, hand, _, _ = await asked_first([carol, alice], other)
        assert await move(first, hand, random.Random(1)) is not None
        assert f"error {quarantined.number} while replaying the log in match {match_id}: " in caplog.text
        await room.store.record_heartbeat(room.now())
    after = file.rows(match_id)
    assert [row[:-1] for row in after.pop("timers")] == [
        row[:-1] for row in rows.pop("timers")
    ]  # but for the time away
    assert after == rows

    file.put_back(whole, match_id)
    async with cardroom(sandbox, tmp_path, ahead=600) as room:
        assert not room.app.matches.quarantined(alice.id, lobby.server_id or 0)
        (match,) = [each for each in room.app.matches.live() if each.id == match_id]
        (timer,) = match.position.timers
        assert (timer.name, timer.key) == (before.name, before.key)
        assert (
            timer.deadline > room.now() + 20_000
        )  # a turn of blitz has 30 s: it did not run while the match was quarantined
        assert await room.store.timers(match_id) == [timer]
        assert "error number" not in (await alice.slash(lobby, "games")).text
        await moved(room, [alice, bob], board, 2)
        await to_the_end(room, match)
        assert match.result is not None
        assert await room.store.metadata("resting") == "[]"


async def test_rules_that_fail_on_a_log_quarantine_its_match_without_a_word_of_its_cards(
    sandbox: Sandbox, tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, bob, _, lobby = people(sandbox)
    async with cardroom(sandbox, tmp_path) as room:
        board = await challenge(alice, bob, lobby)
        match_id = await moved(room, [alice, bob], board, 1)
    caplog.clear()

    def stumble(_rules: Haymaker, _state: Any, event: Event) -> Any:
        raise KeyError(event)

    with monkeypatch.context() as patched:
        patched.setattr(Haymaker, "evolve", stumble)
        for _ in range(2):  # tried again at each start
            async with cardroom(sandbox, tmp_path) as room:
                (quarantined,) = room.app.matches.quarantined(bob.id, lobby.server_id or 0)
                reply = await bob.press(board, label="My cards")
                assert say("match.paused", number=quarantined.number) in reply.text
                (line,) = [each for each in caplog.messages if match_id in each]
                assert f"error {quarantined.number} while replaying the log in match {match_id}: KeyError at " in line
                assert "Card" not in line.partition(" at ")[0]
                assert "seat=" not in line
            caplog.clear()
    async with cardroom(sandbox, tmp_path) as room:
        assert not caplog.messages or "error" not in caplog.text
        await moved(room, [alice, bob], board, 2)


async def test_damaged_rows_do_not_keep_anybody_from_their_data(
    sandbox: Sandbox, tmp_path: Path, file: DatabaseFile
) -> None:
    alice, bob, _, lobby = people(sandbox)
    async with cardroom(sandbox, tmp_path) as room:
        await challenge(alice, bob, lobby)
        (match,) = room.app.matches.live()
        await to_the_end(room, match)
        assert match.over
    file.change("UPDATE records SET action = 'torn', events = 'torn' WHERE match_id = ? AND actor = 0", match.id)
    file.change("UPDATE matches SET options = 'torn' WHERE id = ?", match.id)
    async with cardroom(sandbox, tmp_path) as room:
        (told,) = (await exported(alice, lobby))["matches"]
        assert told["options"] == "torn"
        assert {act["action"] for act in told["acts"]} == {"torn"}
        asked = await alice.slash(lobby, "mydata delete")
        pressed = await alice.press(asked.message, label=say("button.delete"))
        await sandbox.wait_for(lambda: say("mydata.deleted") in pressed.message.text)
        assert await room.store.matches_of(match.guild_id, alice.id) == []


async def test_a_finished_match_whose_log_cannot_be_read_says_so_and_harms_no_start(
    sandbox: Sandbox, tmp_path: Path, file: DatabaseFile, caplog: pytest.LogCaptureFixture
) -> None:
    alice, bob, _, lobby = people(sandbox)
    async with cardroom(sandbox, tmp_path) as room:
        board = await challenge(alice, bob, lobby)
        (match,) = room.app.matches.live()
        await to_the_end(room, match)
        await sandbox.wait_for(lambda: board.labels == OVER)
        standing = await room.store.standing(match.guild_id, "haymaker", alice.id)
    file.change_log("UPDATE records SET events = 'torn' WHERE match_id = ? AND seq = 1", match.id)
    caplog.clear()
    async with cardroom(sandbox, tmp_path) as room:
        reply = await alice.press(board, label="Rematch")
        (number,) = [line.split()[1] for line in caplog.messages if "replaying the log" in line]
        told = say("match.unreadable", number=int(number))
        assert (reply.visibility, told in reply.text) == ("ephemeral", True)
        assert told in (await bob.press(board, label="More…")).text
        assert caplog.text.count("replaying the log") == 1  # a number a fault, however often it is asked for
        assert room.figures["cardroom_faults_total doing=replaying the log"] == 1
        assert room.figures["cardroom_replay_mismatches_total of=log"] == 1
        assert not room.app.matches.quarantined(alice.id, match.guild_id)
        assert await room.store.standing(match.guild_id, "haymaker", alice.id) == standing
        assert await room.store.metadata("resting") in (None, "[]")
        await challenge(alice, bob, lobby)
