"""F-29: seeds, seals and logs that were altered in the database. Only their matches are on hold, and `check` names
them."""

# ruff: noqa: N802  a test's name bears the number of its fault

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path

import pytest

from bot.play.live_match import LiveMatch
from bot.store.dump_format import NotADumpError
from bot.store.sqlite.dump import dump_lines, load_dump
from bot.ui.catalogue import translations
from discord_sandbox import DrivenChannel, MessageView, Person, Sandbox
from engines.deals import short_seal
from tests.bot.ops.databases import cardroom as command
from tests.bot.ops.test_check import lines
from tests.bot.store.packing import pack_all
from tests.end_to_end.cardroom import Cardroom, cardroom
from tests.end_to_end.exports import exported
from tests.end_to_end.players import OVER, challenge, press_where_it_is
from tests.faults.database_file import DatabaseFile
from tests.faults.test_quarantine import moved, people

say = translations("en")

BIT = {
    "of the seed": ("matches", "seed", "deal"),
    "of the seal": ("matches", "commitment", "deal"),
    "of the deal's id": ("matches", "deal_id", "deal"),
    "of a salt": ("seats", "salt", "deal"),
    "of the clock": ("matches", "clock", "deal"),
    "of an act's events": ("records", "events", "log"),
    "of an act": ("records", "action", "log"),
    "of the actor": ("records", "actor", "log"),
    "of a time": ("records", "at", "log"),
    "of the chain": ("records", "chain", "log"),
}
WHOLE = {
    "a record lost": "DELETE FROM records WHERE match_id = ?1 AND seq = 1",
    "no record left": "DELETE FROM records WHERE match_id = ?1",
    "a record of another match": (
        "UPDATE records SET (action, events, actor) = (SELECT action, events, actor FROM records AS other"
        " WHERE other.match_id <> ?1 AND (other.action, other.events) <> (records.action, records.events))"
        " WHERE match_id = ?1 AND seq = 1"
    ),  # two matches may begin with the same act, so the other one has two
}


def alter(file: DatabaseFile, harm: str, match_id: str) -> str:
    """Do a harm to a match; the part of it that is altered then."""
    if harm in WHOLE:
        file.change(WHOLE[harm], match_id)
        return "log"
    table, column, part = BIT[harm]
    file.flip_bit(table, column, match_id)
    return part


async def salted(room: Cardroom, host: Person, guest: Person, channel: DrivenChannel, **options: object) -> MessageView:
    """A match to which both added a salt; its board."""
    asked = (await host.slash(channel, "haymaker challenge", opponent=guest, **options)).message
    (invitation,) = room.app.invitations.open()
    for person in (guest, host):
        await room.app.seating.add_salt(invitation.id, person.id, f"a pinch of {person.name}")
    return (await guest.press(asked, label="Accept")).message


async def resign(person: Person, board: MessageView) -> None:
    """Resign from the match on a board."""
    asked = await press_where_it_is(person, board, "Resign")
    await press_where_it_is(person, asked.message, "Resign")


async def checked(folder: Path) -> str:
    """What `cardroom check` says of seals and logs."""
    done = await asyncio.to_thread(command, folder, "check")
    told = lines(done.stdout)["seals and logs"]
    assert told.startswith("FAIL") == (done.returncode == 1), done.stdout
    return told


@pytest.mark.nightly  # four starts each; what finds each harm is unit tested (tests/bot/store)
@pytest.mark.parametrize("harm", [*BIT, *WHOLE])
async def test_F_29_an_altered_match_is_on_hold_alone_until_it_is_as_it_was_saved(
    sandbox: Sandbox, tmp_path: Path, caplog: pytest.LogCaptureFixture, harm: str
) -> None:
    file = DatabaseFile(tmp_path)
    alice, bob, carol, lobby = people(sandbox)
    async with cardroom(sandbox, tmp_path) as room:
        board = await salted(room, alice, bob, lobby, clock="blitz")
        other = await challenge(carol, alice, lobby, clock="daily")
        match_id = await moved(room, [alice, bob], board, 2)
        await moved(room, [carol, alice], other, 2)
    whole = file.saved()
    part = alter(file, harm, match_id)
    rows = file.rows(match_id)
    told = await checked(tmp_path)
    assert told.startswith(f"FAIL 1 are not as they were saved, restore a backup: {match_id} (its {part} was altered")
    for _ in range(2):  # tried again at each start
        caplog.clear()
        async with cardroom(sandbox, tmp_path) as room:
            (line,) = [each for each in caplog.messages if match_id in each]
            assert line.startswith(f"match {match_id} is on hold: its {part} was altered")
            assert room.figures["cardroom_replay_mismatches_total of=log"] == 1
            for person, label in ((alice, "My cards"), (bob, "My cards"), (carol, "Rules"), (alice, "More…")):
                reply = await person.press(board, label=label)
                assert (reply.visibility, say(f"match.altered.{part}") in reply.text) == ("ephemeral", True)
            assert f"on hold because its {part} was altered" in (await alice.slash(lobby, "games")).text
            assert "on hold" not in (await carol.slash(lobby, "games")).text
            refused = await bob.slash(lobby, "mydata delete")
            assert say("mydata.playing") in refused.text
            (live,) = room.app.matches.live()
            assert live.board_id == other.id
            room.pass_time(600)  # far longer than a turn in blitz
            await moved(room, [carol, alice], other, 1)
    after = file.rows(match_id)
    for each in (rows, after):
        each.pop("timers")  # they have the credit of the time away
    assert after == rows

    file.put_back(whole, match_id)
    assert (await checked(tmp_path)).startswith("ok 2 matches")
    async with cardroom(sandbox, tmp_path, ahead=600) as room:
        assert not room.app.matches.quarantined(alice.id, lobby.server_id or 0)
        (match,) = [each for each in room.app.matches.live() if each.id == match_id]
        (timer,) = match.position.timers
        assert timer.deadline > room.now() + 20_000  # the whole 30 s of a turn in blitz, or nearly
        await moved(room, [alice, bob], board, 1)
        await resign(alice, board)
        assert match.result is not None


async def one_over_beside_another(sandbox: Sandbox, room: Cardroom) -> tuple[MessageView, LiveMatch]:
    """A salted match of Alice and Bob that is over, and its board, while Alice plays another one with Carol."""
    alice, bob, carol, lobby = people(sandbox)
    await moved(room, [carol, alice], await challenge(carol, alice, lobby), 2)
    board = await salted(room, alice, bob, lobby)
    match = next(each for each in room.app.matches.live() if each.board_id == board.id)
    await moved(room, [alice, bob], board, match.game.info.shortest_counted)
    await resign(bob, board)
    await sandbox.wait_for(lambda: board.labels == OVER)
    return board, match


@pytest.mark.nightly  # the same
@pytest.mark.parametrize("harm", [*BIT, *WHOLE, "of the result's chain"])
async def test_F_29_an_altered_match_that_is_over_is_not_shown(
    sandbox: Sandbox, tmp_path: Path, caplog: pytest.LogCaptureFixture, harm: str
) -> None:
    file = DatabaseFile(tmp_path)
    alice, bob, _, _ = people(sandbox)
    async with cardroom(sandbox, tmp_path) as room:
        board, match = await one_over_beside_another(sandbox, room)
        result = await room.store.result(match.id)
        assert result is not None
        assert result.chain.hex() == match.chain
        standing = await room.store.standing(match.guild_id, "haymaker", alice.id)
        assert standing is not None
    if harm == "of the result's chain":
        file.flip_bit("results", "chain", match.id)
        part = "log"
    else:
        part = alter(file, harm, match.id)
    assert f"{match.id} (its {part} was altered" in await checked(tmp_path)
    caplog.clear()
    async with cardroom(sandbox, tmp_path) as room:
        (line,) = [each for each in caplog.messages if match.id in each]
        assert line.startswith(f"match {match.id} can't be shown: its {part} was altered")
        for label in ("Rematch", "Replay", "More…"):
            reply = await alice.press(board, label=label)
            assert (reply.visibility, say(f"match.altered_over.{part}") in reply.text) == ("ephemeral", True)
        assert len([each for each in caplog.messages if match.id in each]) == 1
        assert not room.app.matches.quarantined(bob.id, match.guild_id)
        assert await room.store.standing(match.guild_id, "haymaker", alice.id) == standing


async def test_F_29_a_packed_log_is_shown_as_before_and_a_damaged_one_rests_alone(
    sandbox: Sandbox, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = DatabaseFile(tmp_path)
    alice, bob, carol, lobby = people(sandbox)
    told: list[list[str]] = []

    async def look(match_id: str, board: MessageView) -> None:
        """Keep all that people can see of the match."""
        replay = await alice.press(board, label="Replay")
        proof = await carol.slash(lobby, "verify", code=match_id)
        told.append([replay.text, proof.text, (await bob.slash(lobby, "history")).text])
        log = [replace(each, interaction_id=None) for each in await room.store.records(match_id)]
        told[-1].append(str(log) + str(await room.store.result(match_id)))

    async with cardroom(sandbox, tmp_path) as room:
        board, match = await one_over_beside_another(sandbox, room)
    async with cardroom(sandbox, tmp_path) as room:
        await look(match.id, board)
        assert await pack_all(room.store) == [match.id]
        await look(match.id, board)
    async with cardroom(sandbox, tmp_path) as room:
        await look(match.id, board)
    assert told[0] == told[1] == told[2]
    assert await checked(tmp_path) == "ok 2 matches and 0 open invitations, as saved"

    file.flip_bit("packed_logs", "log", match.id)
    assert f"FAIL 1 are not as they were saved, restore a backup: {match.id} (its log was altered" in await checked(
        tmp_path
    )
    caplog.clear()
    async with cardroom(sandbox, tmp_path) as room:
        for label in ("Rematch", "Replay", "More…"):
            reply = await alice.press(board, label=label)
            assert (reply.visibility, say("match.altered_over.log") in reply.text) == ("ephemeral", True)
        (line,) = [each for each in caplog.messages if match.id in each]
        assert line.startswith(f"match {match.id} can't be shown: its log was altered")
        (live,) = room.app.matches.live()
        assert not room.app.matches.quarantined()
        held = await exported(alice, lobby)
        assert {each["id"] for each in held["matches"]} == {match.id, live.id}


@pytest.mark.parametrize("column", ["seed", "commitment", "deal_id"])
async def test_F_29_no_match_begins_from_a_challenge_whose_deal_was_altered(
    sandbox: Sandbox, tmp_path: Path, caplog: pytest.LogCaptureFixture, column: str
) -> None:
    file = DatabaseFile(tmp_path)
    alice, bob, _, lobby = people(sandbox)
    async with cardroom(sandbox, tmp_path) as room:
        asked = (await alice.slash(lobby, "haymaker challenge", opponent=bob)).message
        (invitation,) = room.app.invitations.open()
        assert short_seal(invitation.commitment) in asked.text
    file.flip_bit("invitations", column, invitation.id)
    assert f"{invitation.id} (its deal was altered)" in await checked(tmp_path)
    caplog.clear()
    async with cardroom(sandbox, tmp_path) as room:
        reply = await bob.press(asked, label="Accept")
        assert (reply.visibility, say("challenge.deal_altered") in reply.text) == ("ephemeral", True)
        assert f"invitation {invitation.id} can't become a match: its deal was altered" in caplog.text
        assert not room.app.matches.live()
        await press_where_it_is(alice, asked, "Take back")
        assert not room.app.invitations.open()


async def test_F_29_an_altered_dump_is_found_once_it_is_loaded(sandbox: Sandbox, tmp_path: Path) -> None:
    data, loaded = tmp_path / "data", tmp_path / "loaded"
    data.mkdir()
    loaded.mkdir()
    alice, bob, carol, lobby = people(sandbox)
    async with cardroom(sandbox, data) as room:
        match_id = await moved(room, [alice, bob], await challenge(alice, bob, lobby), 2)
        await moved(room, [carol, alice], await challenge(carol, alice, lobby), 1)
    written = [*dump_lines(data / "cardroom.db")]
    load_dump(written, loaded / "cardroom.db")
    assert (await checked(loaded)).startswith("ok 2 matches")
    (loaded / "cardroom.db").unlink()
    altered = [line.replace(r"\"rank\":4", r"\"rank\":5") for line in written]
    assert altered != written
    with pytest.raises(NotADumpError, match="states another checksum"):
        load_dump(altered, loaded / "cardroom.db")
    *rows, end = altered  # as who alters it may leave the checksum out, which former dumps lack
    load_dump([*rows, json.dumps({"rows": json.loads(end)["rows"]})], loaded / "cardroom.db")
    assert f"{match_id} (its log was altered at record 0)" in await checked(loaded)
