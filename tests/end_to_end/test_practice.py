"""Matches against computers: begun by a command, at a table and by a rematch, and taken up again after a restart."""

from __future__ import annotations

import asyncio
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.play.computers import races, seats
from bot.play.computers.levels import version_of
from bot.play.live_match import LiveMatch
from bot.store.errors import NotSaved
from bot.store.special_ids import computer_id, direct_venue, is_computer
from bot.ui.catalogue import translations
from discord_sandbox import Sandbox
from engines import GAMES
from engines.players.levels import CHOOSERS, RACERS
from engines.tivmiv import Stage
from tests.end_to_end.cardroom import Cardroom, cardroom, eventually
from tests.end_to_end.exports import exported
from tests.end_to_end.players import behind_more, chooser, hand_of, move, press_where_it_is, resign
from tests.end_to_end.practising import (
    only_match,
    play_against_computers,
    race_against_computers,
    says,
)
from tests.games.cases import case_of

say = translations("en")
NAME = r"Ada\, normal"
QUICK = {"tivmiv": {"phases": 1}}
"""What makes a race short."""


async def _is_free(room: Cardroom) -> bool:
    return len(room.app.matches) == 0


@pytest.mark.nightly  # a whole match each
@pytest.mark.parametrize("game", [key for key in CHOOSERS if key not in RACERS])
async def test_one_person_plays_a_whole_match_against_computers(sandbox: Sandbox, room: Cardroom, game: str) -> None:
    alice, lobby = sandbox.user("Alice"), sandbox.channel("lobby")
    begun = await alice.slash(lobby, f"{game} practice")
    match = await only_match(room)
    computers = case_of(game).setups[0][1] - 1
    assert match.seats[:2] == (alice.id, computer_id("normal"))
    assert len(match.seats) == 1 + computers
    assert begun.visibility == "ephemeral"
    assert lobby.messages == []
    await play_against_computers(match, alice, begun.message)
    named = NAME if computers == 1 else "Ada"
    await eventually(lambda: says(begun.message, named, say("ending.uncounted_computer"), "Rematch"))
    records = await room.store.records(match.id)
    assert {record.computer for record in records if record.actor} == {version_of(game, "normal")}
    assert {record.computer for record in records if not record.actor} == {None}
    assert await room.store.games_played(match.guild_id) == []
    await alice.press(begun.message, label="Rematch")
    again = await only_match(room)
    assert again.seats == (*match.seats[1:], alice.id)


@pytest.mark.parametrize("game", RACERS)
async def test_a_race_against_a_computer_waits_for_ready_notifies_nobody_and_is_played_to_its_end(
    sandbox: Sandbox, room: Cardroom, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    monkeypatch.setattr(races, "reaction_ms", lambda *_: 500)
    alice, lobby = sandbox.user("Alice"), sandbox.channel("lobby")
    board = (await alice.slash(lobby, f"{game} practice", **QUICK.get(game, {}))).message
    match = await only_match(room)
    await eventually(lambda: says(board, say("button.my_cards")))
    room.pass_time(595)  # she reads: nobody is notified, and the race waits
    await asyncio.sleep(5)
    assert lobby.messages == [board]
    assert match.public().stage is Stage.DEALT
    await race_against_computers(room, match, alice, board)
    await eventually(lambda: says(board, NAME, say("ending.uncounted_computer"), "Rematch"))


async def test_practice_begins_at_a_table_from_help_and_as_recommended(sandbox: Sandbox, room: Cardroom) -> None:
    # Several computers sit at a table and are told apart.
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    table = (await alice.slash(lobby, "ciq open")).message
    hosts = await behind_more(alice, table)
    add = chooser(hosts, "addcomputer")
    refused = await bob.select(table, custom_id=add.custom_id, values=["hard"], force=True)
    assert (refused.visibility, refused.text) == ("ephemeral", say("table.not_host"))
    for level in ("hard", "hard", "easy"):
        await alice.select(hosts, custom_id=add.custom_id, values=[level])
    await sandbox.wait_for(lambda: r"Bo\, easy" in table.text)
    assert r"Vera\, hard \#1" in table.text
    assert r"Vera\, hard \#2" in table.text
    assert r"Bo\, easy" in table.text
    assert say("computer.unrated") in table.text
    kick = chooser(hosts, "kick")
    await alice.select(hosts, custom_id=kick.custom_id, values=[str(computer_id("easy"))])
    await sandbox.wait_for(lambda: "easy" not in table.text)
    assert "easy" not in table.text.partition(say("computer.unrated"))[0]
    await alice.press(table, label="Start")
    match = await only_match(room)
    assert [is_computer(user) for user in match.seats] == [False, True, True]

    # Practice begins from help with the game that is chosen.
    await room.clear()
    helped = (await alice.slash(lobby, "help")).message
    offered = await alice.press(helped, label="Practice")
    assert say("practice.about") in offered.text
    begun = await alice.select(offered.message, values=["haymaker"])
    assert begun.visibility == "ephemeral"
    match = await only_match(room)
    assert (match.game.info.key, match.seats[0]) == ("haymaker", alice.id)

    # C-11: practice is as recommended for its number of players.
    await room.clear()
    presets = GAMES["ciq"].info.presets
    cases: tuple[tuple[dict[str, Any], Any], ...] = (
        ({}, presets["quick"]),
        ({"round_limit": "50"}, replace(presets["quick"], round_limit=50)),
        ({"preset": "default"}, presets["default"]),
        ({"computers": 2}, presets["default"]),
    )
    for given, expected in cases:
        begun = await alice.slash(lobby, "ciq practice", **given)
        match = await only_match(room)
        assert match.options == expected
        await resign(alice, begun.message)
        await eventually(lambda: _is_free(room))


async def test_an_act_that_could_not_be_saved_is_made_later(
    sandbox: Sandbox, room: Cardroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seats, "UNSAVED", 0.01)
    alice, lobby = sandbox.user("Alice"), sandbox.channel("lobby")
    append, failures = room.store.append, [NotSaved("the disk is full")] * 3

    async def failing(*given: object, **named: object) -> object:
        if failures:
            raise failures.pop()
        return await append(*given, **named)  # type: ignore[arg-type]  # what it was called with

    board = (await alice.slash(lobby, "haymaker practice")).message
    match = await only_match(room)
    if 0 in match.awaited:
        hand = await hand_of(alice, board)
        monkeypatch.setattr(seats, "thinking_seconds", lambda _size, _luck: 0.3)
        await move(alice, hand, random.Random(1))
    acts = match.position.acts
    monkeypatch.setattr(room.store, "append", failing)
    await eventually(lambda: _has_acted(match, acts))
    assert not failures


async def test_the_channel_reads_nothing_and_the_cards_come_back(sandbox: Sandbox, tmp_path: Path) -> None:
    alice, lobby = sandbox.user("Alice"), sandbox.channel("lobby")
    async with cardroom(sandbox, tmp_path) as room:
        begun = await alice.slash(lobby, "haymaker practice")
        assert begun.visibility == "ephemeral"
        assert say("practice.no_clock") in begun.text
        assert say("practice.hand_ends") in (await behind_more(alice, begun.message)).text
        await alice.press(begun.message, label=say("button.back_to_cards"))
        first = await only_match(room)
        assert first.position.timers == ()
        again = await alice.slash(lobby, "haymaker practice")
        assert say("practice.goes_on") in again.text.replace("**\n**", " ")  # a note has lines of its own
        assert (await only_match(room)) is first
    async with cardroom(sandbox, tmp_path) as room:
        listed = await alice.slash(lobby, "games")
        shown = await alice.press(listed.message, label=say("games.practice_open", game="Haymaker"))
        assert say("hand.title", game="Haymaker") in shown.text
        match = await only_match(room)
        assert match.id == first.id
        another = await alice.slash(lobby, "haymaker practice", level="easy")
        assert another.visibility == "ephemeral"
        assert len(room.app.matches) == 2
    assert lobby.messages == []


async def test_who_practises_can_have_it_shown_on_a_board_that_notifies_nobody(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    async with cardroom(sandbox, tmp_path) as room:
        hand = (await alice.slash(lobby, "haymaker practice")).message
        match = await only_match(room)
        shown = await press_where_it_is(alice, hand, say("button.show_here"))
        assert say("practice.shown") in shown.text.replace("**\n**", " ")  # a note has lines of its own
        assert say("button.show_here") not in shown.message.labels
        await sandbox.wait_for(lambda: len(lobby.messages) == 1)
        (board,) = lobby.messages
        assert say("practice.board_ends", player="Alice") in board.text
        assert board.mentions == []
        assert match.position.timers == ()
        assert say("hand.title", game="Haymaker") not in (await bob.press(board, label="My cards")).text
        listed = (await alice.slash(lobby, "games")).message
        assert f"/{board.id}" in listed.text
    async with cardroom(sandbox, tmp_path) as room:
        match = await only_match(room)
        await resign(alice, board)
        await eventually(lambda: says(board, say("ending.uncounted_computer"), "Rematch"))
        code = (await bob.press(board, label="Replay")).text
        assert match.id in code
    assert lobby.messages == [board]


async def _has_acted(match: LiveMatch, acts: int) -> bool:
    return match.over or match.position.acts > acts


async def test_in_direct_messages_one_plays_the_computer_over_a_restart_and_is_told_where_people_play(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    alice = sandbox.user("Alice")
    home = alice.direct_messages
    async with cardroom(sandbox, tmp_path) as room:
        refused = await alice.slash(home, "haymaker open")
        assert (refused.visibility, refused.text) == ("ephemeral", say("place.practice_here", game="haymaker"))
        board = (await alice.slash(home, "haymaker practice")).message
        match = await only_match(room)
        assert match.guild_id == direct_venue(alice.id)
    async with cardroom(sandbox, tmp_path) as room:
        match = await only_match(room)
        assert match.suspended is None
        await play_against_computers(match, alice, board)
        await eventually(lambda: says(board, say("ending.uncounted_computer"), "Rematch"))
        await alice.press(board, label="Rematch")
        again = await only_match(room)
        assert again.guild_id == direct_venue(alice.id)
        listed = await alice.slash(sandbox.channel("lobby"), "games")
        assert say.count("games.elsewhere", 1) in listed.text
        there = await alice.slash(home, "games")
        assert say("games.direct") in there.text
        shown = await alice.press(there.message, label=say("games.practice_open", game="Haymaker"))
        assert say("hand.title", game="Haymaker") in shown.text
        await resign(alice, shown.message)

        # All of it is deleted with its person.
        held = await exported(alice, home)
        assert {each["id"] for each in held["matches"]} == {match.id, again.id}
        asked = await alice.slash(home, "mydata delete")
        await alice.press(asked.message, label=say("button.delete"))

        async def gone() -> bool:
            return await room.store.match(match.id) is None

        await eventually(gone)
