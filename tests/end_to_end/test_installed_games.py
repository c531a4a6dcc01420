"""Games of other packages, on the sandbox: installed, played, removed and installed again."""

from __future__ import annotations

import asyncio
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from bot import games
from bot.ops import game_packages
from bot.ui.catalogue import translations
from bot.ui.screen import Press
from cogs.screens import custom_ids
from cogs.screens.challenge_panel import Panel
from discord_sandbox import MessageView, Person, Sandbox
from tests.end_to_end.cardroom import cardroom
from tests.end_to_end.exports import exported
from tests.end_to_end.players import OVER, challenge, hand_of, plain_move, play_out, press_where_it_is, resign
from tests.faults.bot_process import PATIENCE, THE_BOT, ForkedBot
from tests.fork_server import ForkServer
from tests.packages.site import DUEL, Site, site

say = translations("en")
ON_HOLD = say("match.not_installed", game="Duel")


class Package:
    """The package of Duel, built by pip, and a folder where it is installed or not."""

    def __init__(self, folder: Path) -> None:
        self.installed = folder / "installed"
        self._wheels = folder / "wheels"
        source = folder / "source"  # the build leaves files beside what it reads
        shutil.copytree(DUEL, source)
        _pip("wheel", "--no-build-isolation", "--wheel-dir", str(self._wheels), str(source))

    def install(self) -> None:
        """Install it, as whoever runs a bot does."""
        (wheel,) = self._wheels.iterdir()
        _pip("install", "--target", str(self.installed), str(wheel))

    def uninstall(self) -> None:
        """Remove it with all its files."""
        shutil.rmtree(self.installed)


def _pip(command: str, *arguments: str) -> None:
    offline = ("--no-deps", "--no-index", "--quiet", "--disable-pip-version-check")
    subprocess.run([sys.executable, "-m", "pip", command, *offline, *arguments], check=True, timeout=60)


def rows(database: Path, match_id: str) -> dict[str, list[tuple[object, ...]]]:
    """All that belongs to a match, but for its deadlines, which are given the time that the bot was down."""
    with closing(sqlite3.connect(database)) as db:
        keys = {"matches": "id", "records": "match_id", "seats": "match_id", "results": "match_id"}
        return {
            name: db.execute(f"SELECT * FROM {name} WHERE {key} = ?", (match_id,)).fetchall()
            for name, key in keys.items()
        }


def timers(database: Path, match_id: str) -> list[tuple[str, str]]:
    """The names and keys of a match's deadlines."""
    with closing(sqlite3.connect(database)) as db:
        return db.execute("SELECT name, key FROM timers WHERE match_id = ?", (match_id,)).fetchall()


def let_time_run_out(database: Path, match_id: str) -> None:
    """Have a match's deadlines be long past, as after days without the game."""
    with closing(sqlite3.connect(database, isolation_level=None)) as db:
        assert db.execute("UPDATE timers SET deadline = deadline - 864000000 WHERE match_id = ?", (match_id,)).rowcount


def match_id_of(board: MessageView) -> str:
    """The match of a board."""
    return custom_ids.read(board.buttons[0].custom_id)[0]


async def moves(pair: list[Person], board: MessageView, count: int) -> None:
    """Make some plain moves in a match of Haymaker's rules."""
    for _ in range(count):
        for person in pair:
            hand = await hand_of(person, board)
            if any(button.label in {"Attack", "Take the hit"} for button in hand.buttons):
                assert not (await plain_move(person, hand)).failed
                break


@pytest.mark.nightly  # three calls of pip; below, games are missing without
@pytest.mark.real_time
async def test_a_match_waits_for_its_game_and_comes_back_with_it(
    sandbox: Sandbox, fork_server: ForkServer, tmp_path: Path
) -> None:
    sandbox.limits.first_response = PATIENCE
    alice, bob, carol = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.user("Carol")
    lobby = sandbox.channel("lobby")
    data, database = tmp_path / "data", tmp_path / "data" / "cardroom.db"
    data.mkdir()
    package = await asyncio.to_thread(Package, tmp_path)
    await asyncio.to_thread(package.install)
    bot = ForkedBot(fork_server, sandbox, data)
    path = str(package.installed)
    try:
        await bot.start(program=THE_BOT, PYTHONPATH=path)
        board = await challenge(alice, bob, lobby, game="duel", clock="blitz")
        other = await challenge(carol, bob, lobby)
        await moves([alice, bob], board, 4)
        assert "duel; " in board.text  # its own sentence
        match_id = match_id_of(board)
        assert await bot.stop() == 0
        before, running = rows(database, match_id), timers(database, match_id)
        assert running

        package.uninstall()
        await bot.start(program=THE_BOT, PYTHONPATH=path)
        for person, label in ((alice, "My cards"), (bob, "More…"), (carol, "Rules")):
            reply = await person.press(board, label=label)
            assert (reply.visibility, reply.text) == ("ephemeral", ON_HOLD)
        listed = (await alice.slash(lobby, "games")).text
        assert "**Duel** against **Bob**: on hold" in listed
        assert "Duel" not in (await carol.slash(lobby, "games")).text
        assert "Duel" not in (await alice.slash(lobby, "help")).text
        await moves([carol, bob], other, 2)
        await bot.stop(signal.SIGKILL)
        assert "game duel is not installed; matches that wait for it: 1" in bot.logged
        assert "ERROR" not in bot.logged
        assert "level=error" not in bot.logged.lower()
        assert (rows(database, match_id), timers(database, match_id)) == (before, running)

        await asyncio.to_thread(package.install)
        let_time_run_out(database, match_id)
        await bot.start(program=THE_BOT, PYTHONPATH=path)
        assert await play_out({"Alice": alice, "Bob": bob}, board, random.Random(1)) > 2
        await sandbox.wait_for(lambda: board.labels == OVER)
        assert "time" not in {kind for _, kind, *_ in rows(database, match_id)["results"]}
        assert "**Alice**" in (await carol.slash(lobby, "duel leaderboard")).text
        assert await bot.stop() == 0
    finally:
        if bot.alive:
            await bot.stop(signal.SIGKILL)


# ---------------------------------------------------------------------------------------------- what else may be open


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    (tmp_path / "site").mkdir()
    with site(tmp_path / "site", monkeypatch) as made:
        made.put()
        assert game_packages.load(made.entry_points()) == []
        yield made


async def test_what_is_over_stays_and_what_is_open_can_be_left_while_its_game_is_missing(
    sandbox: Sandbox, tmp_path: Path, installed: Site
) -> None:
    alice, bob, carol, dave = map(sandbox.user, ("Alice", "Bob", "Carol", "Dave"))
    lobby = sandbox.channel("lobby")
    server = lobby.server_id or 0
    async with cardroom(sandbox, tmp_path) as room:
        board = await challenge(alice, bob, lobby, game="duel")
        await hand_of(alice, board)  # now the result counts (C-10)
        await resign(alice, board)
        await sandbox.wait_for(lambda: board.labels == OVER)
        rules = (await alice.slash(lobby, "duel rules")).message
        standing = await room.store.standing(server, "duel", bob.id)
        assert standing is not None
        left = await challenge(alice, bob, lobby, game="duel")
        await challenge(bob, carol, lobby, game="duel")
        asked = (await dave.slash(lobby, "duel challenge", opponent=bob)).message
        declined = (await carol.slash(lobby, "duel challenge", opponent=dave)).message
        table = (await dave.slash(lobby, "duel open")).message
        await bob.press(table, label="Join")
    games.remove("duel")
    missing, no_invitation = say("game.not_installed", game="Duel"), say("challenge.not_installed", game="Duel")
    async with cardroom(sandbox, tmp_path) as room:
        # What is over says that its game is missing.
        for message, label in ((board, "Rematch"), (board, "More…"), (rules, "Next")):
            reply = await alice.press(message, label=label)
            assert (reply.visibility, missing in reply.text) == ("ephemeral", True), label
        turned = await alice.press(board, custom_id=custom_ids.write("duel", Press("ranks", 2, "1")), force=True)
        assert turned.text == missing
        assert (await alice.slash(lobby, "leaderboard")).text
        assert {each["game"] for each in (await exported(alice, lobby))["matches"]} == {"duel"}
        assert await room.store.standing(server, "duel", bob.id) == standing

        # Invitations can be left but not taken up.
        for person, message, label in ((bob, asked, "Accept"), (dave, table, "Start")):
            reply = await person.press(message, label=label)
            assert (reply.visibility, reply.text) == ("ephemeral", no_invitation), label
        assert "Duel" in (await bob.slash(lobby, "games")).text
        await press_where_it_is(bob, table, "Leave")
        await sandbox.wait_for(lambda: no_invitation in table.text)
        assert table.labels == ["Leave", "Take back"]
        await press_where_it_is(dave, table, "Take back")
        await sandbox.wait_for(lambda: table.deleted)
        await dave.press(declined, label="Decline")
        assert not declined.labels
        assert len(await room.store.open_invitations()) == 1
        room.pass_time(8 * 24 * 3600)
        await sandbox.wait_for(lambda: not asked.labels)
        assert await room.store.open_invitations() == []

        # Whoever has their data deleted leaves their match.
        question = await alice.slash(lobby, "mydata delete")
        assert say("mydata.ask_not_installed") in question.text
        assert ON_HOLD in (await alice.press(left, label="My cards")).text  # nothing has happened yet
        pressed = await alice.press(question.message, label=say("button.delete"))
        await sandbox.wait_for(lambda: say("mydata.deleted") in pressed.message.text)
        assert await room.store.matches_of(server, alice.id) == []
        (waiting,) = await room.store.live_matches()
        assert carol.id in waiting.seats
        assert (await bob.slash(lobby, "games")).text.count("on hold") == 1
        assert room.figures.get("cardroom_replay_mismatches_total of=log", 0) == 0
    game_packages.load(installed.entry_points())
    async with cardroom(sandbox, tmp_path) as room:
        assert "**Bob**" in (await bob.slash(lobby, "duel leaderboard")).text
        assert [match.id for match in room.app.matches.live()] == [waiting.id]
        await sandbox.wait_for(lambda: say("ending.abandoned") in left.text)


def test_the_panels_ids_name_an_installed_game_by_its_key(installed: Site) -> None:
    panel = Panel.read("7.duel.0.0")
    assert (panel.key, panel.write()) == ("duel", "7.duel.0.0")
    assert Panel.read(f"7.{panel.game}.0.0").key == "duel"
    installed.put("bridge", "cardroom_bridge")
    games.remove("duel")
    with pytest.raises(custom_ids.UnknownCustomId):
        Panel.read("7.duel.0.0")
    game_packages.load(installed.entry_points())
    assert [*games.DISTRIBUTIONS] == ["bridge", "duel"]  # its place is another one
    assert Panel.read("7.duel.0.0").key == "duel"
    assert Panel.read("7.0.0.0").write() == "7.0.0.0"
