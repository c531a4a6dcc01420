"""Restarts that go on with the sessions of the last process: nobody identifies, and nothing is missed (F-8, F-15)."""

# ruff: noqa: N802  a test's name bears the number of its fault

from __future__ import annotations

import logging
import random
import signal
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import discord
import pytest

from bot.ui.catalogue import translations
from discord_sandbox import Sandbox
from tests.end_to_end.cardroom import cardroom, eventually
from tests.end_to_end.players import asked_first, challenge, move, picks
from tests.faults.bot_process import ForkedBot
from tests.faults.lost_venues import ELSEWHERE, only_match, people, until

say = translations("en")
SECOND = "Second Server"


def identifies_left(sandbox: Sandbox) -> int:
    return sandbox.gateway.identify_limits.left


def ids_of(sandbox: Sandbox) -> set[str]:
    """The ids of all sessions at the gateway."""
    return {*sandbox.gateway.sessions}


async def test_F_8_a_restart_goes_on_with_its_session_and_knows_its_servers(sandbox: Sandbox, tmp_path: Path) -> None:
    alice, bob, lobby = people(sandbox)
    async with cardroom(sandbox, tmp_path) as room:
        board = await challenge(alice, bob, lobby, clock="daily")
        known = {(guild.id, guild.name, str(guild.preferred_locale)) for guild in room.client.guilds}
    sessions, left = ids_of(sandbox), identifies_left(sandbox)
    async with cardroom(sandbox, tmp_path) as room:
        await until(room.client.is_ready)
        assert (ids_of(sandbox), identifies_left(sandbox)) == (sessions, left)
        assert {(guild.id, guild.name, str(guild.preferred_locale)) for guild in room.client.guilds} == known
        assert room.client.connected
        late, hand, _, _ = await asked_first([alice, bob], board)
        assert await move(late, hand, random.Random(1)) is not None
    async with cardroom(sandbox, tmp_path) as room:  # and so does the next one
        await until(room.client.is_ready)
        assert (ids_of(sandbox), identifies_left(sandbox)) == (sessions, left)


async def test_F_7_a_press_that_was_called_failed_is_dropped_when_it_is_replayed(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    alice, bob, lobby = people(sandbox)
    async with cardroom(sandbox, tmp_path):
        board = await challenge(alice, bob, lobby, clock="daily")
        attacker, hand, _, _ = await asked_first([alice, bob], board)
        await attacker.press(hand, custom_id=picks(hand)[0].custom_id)
    assert (await attacker.press(hand, label="Attack")).failed  # nobody answers
    async with cardroom(sandbox, tmp_path) as room:
        await until(room.client.is_ready)
        match = await only_match(room)
        assert match.position.acts == 0
        assert room.figures["cardroom_late_interactions_total kind=press"] == 1
        assert not (await attacker.press(hand, label="Attack")).failed
        assert match.position.acts == 1


async def test_F_8_after_a_kill_a_session_goes_on_from_when_it_was_stored(
    sandbox: Sandbox, forked_bot: ForkedBot
) -> None:
    alice, bob, lobby = people(sandbox)
    await forked_bot.start()
    await forked_bot.settle()
    await challenge(alice, bob, lobby, clock="daily")
    left, sessions = identifies_left(sandbox), ids_of(sandbox)
    await forked_bot.stop(signal.SIGKILL)
    sandbox.delete_channel(lobby)
    await forked_bot.start()
    await forked_bot.settle()
    assert (ids_of(sandbox), identifies_left(sandbox)) == (sessions, left)

    async def is_on_hold() -> bool:
        listed = await alice.slash(sandbox.channel(ELSEWHERE), "games")
        return say("games.suspended.channel_gone") in listed.text

    await eventually(is_on_hold)
    assert not any(session in forked_bot.logged for session in sessions)


def change(folder: Path, statement: str) -> None:
    with closing(sqlite3.connect(folder / "cardroom.db")) as db, db:
        db.execute(statement)


BEGUN_ANEW: dict[str, Callable[[Sandbox, Path], object]] = {
    "Discord has it no longer": lambda sandbox, _: sandbox.drop_gateway(resumable=False),
    "its servers are not stored": lambda _, folder: change(folder, "DELETE FROM gateway_servers"),
    "what is stored of them is damaged": lambda _, folder: change(folder, "UPDATE gateway_servers SET servers = '[7]'"),
    "it is another application's": lambda _, folder: change(folder, "UPDATE gateway_sessions SET profile = '7 1'"),
    "it is too old": lambda _, folder: change(folder, "UPDATE gateway_sessions SET at = at - 600001"),
    "its event never came": lambda _, folder: change(folder, "UPDATE gateway_sessions SET sequence = 9000"),
    "its address leads nowhere": lambda _, folder: change(
        folder, "UPDATE gateway_sessions SET address = 'ws://127.0.0.1:9/'"
    ),
}


@pytest.mark.parametrize("why", BEGUN_ANEW)
async def test_F_8_a_session_that_cannot_go_on_is_begun_anew(
    sandbox: Sandbox, tmp_path: Path, why: str, caplog: pytest.LogCaptureFixture
) -> None:
    alice, bob, lobby = people(sandbox)
    async with cardroom(sandbox, tmp_path):
        await challenge(alice, bob, lobby, clock="daily")
    sandbox.remove_bot(sandbox.server(SECOND))
    sessions, left = ids_of(sandbox), identifies_left(sandbox)
    BEGUN_ANEW[why](sandbox, tmp_path)
    with caplog.at_level(logging.INFO):
        async with cardroom(sandbox, tmp_path) as room:
            await until(room.client.is_ready)
            assert identifies_left(sandbox) == left - 1
            assert {guild.name for guild in room.client.guilds} == {"First Server"}
            assert (await only_match(room)).suspended is None
            secrets = sessions | ids_of(sandbox)
            assert not [each for each in caplog.records if any(secret in each.getMessage() for secret in secrets)]


async def at_once(*_: object, **__: object) -> None:
    """Let a session begin without a pause."""


async def test_F_8_sixteen_shards_are_redeployed_without_an_identify(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(discord.Client, "before_identify_hook", at_once)
    sandbox.limits.shards = sandbox.limits.max_concurrency = 16
    alice, bob, lobby = people(sandbox)
    async with cardroom(sandbox, tmp_path) as room:
        board = await challenge(alice, bob, lobby, clock="daily")
        await until(room.client.is_ready)
    left = identifies_left(sandbox)
    async with cardroom(sandbox, tmp_path) as room:
        await until(room.client.is_ready)
        late, hand, _, _ = await asked_first([alice, bob], board)
        assert await move(late, hand, random.Random(1)) is not None
        assert len([*room.client.sessions()]) == 16
    assert identifies_left(sandbox) == left
