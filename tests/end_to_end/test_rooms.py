"""The bot without each of its rooms: without the room's folder and its line in the wiring it starts, plays and ends a
match, says what there is, exports, deletes and purges. A button of the room on an old message gets one sentence."""

from __future__ import annotations

import importlib
import random
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.store.migrations import LATEST
from bot.store.queries.database import Connection
from bot.store.queries.servers import TABLES
from bot.store.sqlite.store import SqliteStore
from bot.ui.catalogue import translations
from bot.ui.screen import Press
from cogs.actions.component_press import Capability
from cogs.screens import custom_ids
from cogs.wiring import ROOMS
from discord_sandbox import DrivenChannel, MessageView, Person, Refused, Sandbox
from tests.end_to_end.exports import exported
from tests.end_to_end.players import challenge, hand_of, move, resign
from tests.end_to_end.process import ROOT, bot_process
from tests.faults.bot_process import PATIENCE, forked
from tests.fork_server import ForkServer

pytestmark = pytest.mark.real_time

COIN = ROOT / "examples" / "coin"
BELOW_ROOMS = ("bot.cluster.ownership", "bot.gateway.client", "bot.ops.metrics", "bot.store.sqlite.store")

say = translations("en")


def without(room: str, folder: Path, program: Path = ROOT) -> Path:
    """The program without a room: without its folder, and its line and import in the wiring. The rest are links, so
    that it need not be compiled again."""
    (folder / "cogs").mkdir(parents=True)
    for name in ("bot", "docs", "engines", "pyproject.toml"):
        (folder / name).symlink_to(program / name)
    for each in (program / "cogs").iterdir():
        if each.name not in (room, "wiring.py", "__pycache__"):
            (folder / "cogs" / each.name).symlink_to(each)
    wiring = folder / "cogs" / "wiring.py"
    text = (program / "cogs" / "wiring.py").read_text("utf-8")
    unlisted = re.sub(rf"\b{room}\.ROOM,?", "", text)
    assert unlisted != text
    imported = re.compile(r"^from cogs import (\([^)]*\)|[^\n]*)\n", re.MULTILINE)
    others = [name for names in imported.findall(text) for name in re.findall(r"\w+", names) if name != room]
    kept = f"from cogs import {', '.join(others)}\n" if others else ""
    first, *rest = imported.split(unlisted)[::2]
    wiring.write_text(kept.join((first, "".join(rest))), "utf-8")
    return folder


def verbs_of(room: str) -> list[str]:
    """The verbs that a room answers."""
    modules = (ROOT / "cogs" / room).glob("*.py")
    found: set[str] = set()
    for module in modules:
        for each in vars(importlib.import_module(f"cogs.{room}.{module.stem}")).values():
            if isinstance(each, type) and issubclass(each, Capability) and each is not Capability:
                found.update(each.verbs.writes)
    return sorted(found)


async def if_there(person: Person, channel: DrivenChannel, command: str) -> str:
    """What a command answers; empty if there is no such command."""
    try:
        reply = await person.slash(channel, command)
    except Refused:
        return ""
    assert not reply.failed, command
    return reply.text


async def commands_told(person: Person, channel: DrivenChannel) -> str:
    """All commands, as `/help` tells of them."""
    asked = await person.slash(channel, "help")
    return (await person.press(asked.message, label=say("button.commands"))).text


async def played(sandbox: Sandbox, alice: Person, bob: Person, channel: DrivenChannel) -> MessageView:
    """A match of Haymaker with a few moves, until somebody resigns."""
    board = await challenge(alice, bob, channel)
    moves = [await move(person, await hand_of(person, board), random.Random(3)) for person in (alice, bob, alice, bob)]
    assert any(moves)
    await resign(alice, board)
    await sandbox.wait_for(lambda: "My cards" not in board.labels)
    return board


def rows_in(db: Connection, table: str, server_id: int) -> int:
    """How many rows of a table name a server."""
    (rows,) = db.execute(f"SELECT count(*) FROM {table} WHERE guild_id = ?", (server_id,)).fetchone()
    return int(rows)


async def purged(data: Path, server_id: int) -> dict[str, int]:
    """How many rows name a server after its purge, in the tables that have some."""
    store = await SqliteStore.open(data / "cardroom.db", now=lambda: 0, accept_older=True)
    try:
        await store.purge_guild(server_id)
        left = await store.database.read(lambda db: {name: rows_in(db, name, server_id) for name in TABLES})
    finally:
        await store.close()
    return {name: rows for name, rows in left.items() if rows}


@pytest.fixture(scope="module")
def roomless() -> Iterator[ForkServer]:
    """A server that has loaded all of the program but what knows of rooms."""
    server = ForkServer(*BELOW_ROOMS, "tests.loaded_once")
    try:
        yield server
    finally:
        server.close()


@pytest.mark.nightly  # each loads all other rooms again; that none imports another is law (pyproject.toml)
@pytest.mark.parametrize("room", [room.name for room in ROOMS])
async def test_the_bot_plays_exports_deletes_and_purges_without_a_room(
    sandbox: Sandbox, roomless: ForkServer, tmp_path: Path, room: str
) -> None:
    sandbox.limits.first_response = PATIENCE
    program, data = without(room, tmp_path / "program"), tmp_path / "data"
    data.mkdir()
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    async with forked(roomless, sandbox, data, root=program) as bot:
        assert say("help.of_games") in await commands_told(alice, lobby)
        await if_there(alice, lobby, "daily")
        result = await played(sandbox, alice, bob, lobby)
        for verb in verbs_of(room):
            custom_id = custom_ids.write(custom_ids.read(result.buttons[0].custom_id)[0], Press(verb))
            assert (await alice.press(result, custom_id=custom_id, force=True)).text == say("press.unknown")
        if room != "personal_data":
            assert say("mydata.exported") in (await alice.slash(lobby, "mydata export")).text
            asked = await bob.slash(lobby, "mydata delete")
            deleted = await bob.press(asked.message, label=say("button.delete"))
            await sandbox.wait_for(lambda: say("mydata.deleted") in deleted.message.text)
        assert await bot.stop() == 0
    assert await purged(data, lobby.server_id or 0) == {}


def with_coin(folder: Path) -> Path:
    """A copy of the program with the smallest room, as its README says."""
    folder.mkdir()
    for name in ("docs", "engines", "pyproject.toml"):
        (folder / name).symlink_to(ROOT / name)
    for name in ("bot", "cogs"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("*.pyc.*"))  # being compiled
    shutil.copytree(COIN / "coin", folder / "cogs" / "coin", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(COIN / "coin.sql", folder / "bot" / "store" / "tables" / f"{LATEST + 1:04}_coin.sql")
    catalogue = folder / "bot" / "locale" / "en" / "LC_MESSAGES" / "cardroom.po"
    catalogue.write_text(f"{catalogue.read_text('utf-8')}\n{(COIN / 'coin.po').read_text('utf-8')}", "utf-8")
    wiring = folder / "cogs" / "wiring.py"
    text = wiring.read_text("utf-8")
    listed = re.sub(r"(ROOMS: .* = \()", r"\1coin.ROOM, ", text, count=1)
    wiring.write_text(listed.replace("\nfrom cogs import ", "\nfrom cogs import coin\nfrom cogs import ", 1), "utf-8")
    return folder


@pytest.mark.nightly  # compiles a copy of the program
async def test_the_smallest_room_is_copied_played_exported_and_deleted(sandbox: Sandbox, tmp_path: Path) -> None:
    sandbox.limits.first_response = PATIENCE
    program, data = with_coin(tmp_path / "program"), tmp_path / "data"
    data.mkdir()
    alice, lobby = sandbox.user("Alice"), sandbox.channel("lobby")
    async with bot_process(sandbox, data, root=program) as bot:
        assert "`/coin` Flip a coin" in await commands_told(alice, lobby)
        flipped = await alice.slash(lobby, "coin")
        assert "You have flipped a coin here 1 time." in flipped.text
        again = await alice.press(flipped.message, label="Flip again")
        assert "You have flipped a coin here 2 times." in again.text
        assert (await exported(alice, lobby))["coin"]["flips"] == 2
        assert await bot.stop() == 0
    async with bot_process(sandbox, data, root=without("coin", tmp_path / "gone", program)) as bot:
        assert (await alice.press(flipped.message, label="Flip again")).text == say("press.unknown")
        (rows,) = (await exported(alice, lobby))["resting_tables"].values()
        assert [row["flips"] for row in rows] == [2]
        asked = await alice.slash(lobby, "mydata delete")
        deleted = await alice.press(asked.message, label=say("button.delete"))
        await sandbox.wait_for(lambda: say("mydata.deleted") in deleted.message.text)
        assert (await exported(alice, lobby))["resting_tables"] == {"coin_flips": []}
        assert await bot.stop() == 0


def test_every_room_says_what_it_is_for() -> None:
    folders = {path.parent.name for path in (ROOT / "cogs").glob("*/GUIDE.md")}
    assert {room.name for room in ROOMS} == folders
