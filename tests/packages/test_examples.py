"""The examples as packages of their own: pip installs them, their own tests pass there, and the bot plays them."""

from __future__ import annotations

import logging
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bot.games import DISTRIBUTIONS, GAMES
from bot.ops import game_packages
from bot.play.computers import races, seats
from bot.ui.catalogue import translations
from discord_sandbox import Sandbox
from engines.players.levels import CHOOSERS, RACERS
from tests.end_to_end.cardroom import cardroom, eventually
from tests.end_to_end.practising import only_match, play_against_computers, race_against_computers, says
from tests.packages.site import site

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted(folder.name for folder in (ROOT / "examples").iterdir() if (folder / "pyproject.toml").exists())
say = translations("en")


def run(*command: str, cwd: Path, **environ: str) -> str:
    """A command's output; the test fails with all that it said if it fails."""
    done = subprocess.run(
        command, cwd=cwd, env={**os.environ, **environ}, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


each_example = pytest.mark.parametrize("key", EXAMPLES, scope="module")


@pytest.fixture(scope="module")
def installed(key: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which pip has installed an example, without a network."""
    folder = tmp_path_factory.mktemp("installed")
    source = shutil.copytree(ROOT / "examples" / key, folder / key, ignore=shutil.ignore_patterns("__pycache__"))
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--no-deps", "--no-index")
    run(*pip, "--no-build-isolation", "--target", str(folder / "packages"), str(source), cwd=folder)
    return folder / "packages"


@pytest.mark.nightly(rare=True)  # each is installed and played as the others are
@each_example
def test_check_names_it(installed: Path, tmp_path: Path, key: str) -> None:
    path = os.pathsep.join([str(ROOT), str(installed)])
    said = run(sys.executable, "-m", "bot.launcher", "check", cwd=tmp_path, PYTHONPATH=path)
    assert f"ok   installed games: {key} (cardroom-{key.replace('_', '-')} 1.0.0)" in said.splitlines()


@pytest.mark.nightly
@each_example
def test_its_own_tests_and_the_laws_pass_far_from_its_source(installed: Path, tmp_path: Path, key: str) -> None:
    shutil.copytree(ROOT / "examples" / key / "tests", tmp_path / "tests")
    shutil.copy(ROOT / "examples" / key / "conftest.py", tmp_path)
    path = os.pathsep.join([str(ROOT), str(installed)])
    said = run(sys.executable, "-m", "pytest", "-q", "-p", "no:asyncio", "tests", cwd=tmp_path, PYTHONPATH=path)
    assert "passed" in said


@pytest.mark.nightly  # a process that loads a copy
def test_the_whole_matches_of_one_are_written_again_as_the_page_says(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "adding-a-game.md").read_text(encoding="utf-8")
    printed = re.compile(r"^cd (examples/\w+)\n(?:.*\n)*?PYTHONPATH=\S+ \S+ (-m laws\.golden .*)$", re.MULTILINE)
    ((folder, command),) = printed.findall(page)
    for name in ("bot", "cogs", "engines", "laws", "docs", "pyproject.toml"):
        (tmp_path / name).symlink_to(ROOT / name)
    copy = shutil.copytree(ROOT / folder, tmp_path / folder)
    kept = {file.name: file.read_text(encoding="utf-8") for file in (copy / "tests" / "golden").iterdir()}
    for file in kept:
        (copy / "tests" / "golden" / file).unlink()
    run(sys.executable, *command.split(), cwd=copy, PYTHONPATH="../..:tests")
    assert kept == {file.name: file.read_text(encoding="utf-8") for file in (copy / "tests" / "golden").iterdir()}


@pytest.mark.nightly
@each_example
async def test_a_practice_match_is_played_to_its_end(
    installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, key: str
) -> None:
    monkeypatch.setattr(seats, "thinking_seconds", lambda _size, _luck: 0.0)
    monkeypatch.setattr(races, "reaction_ms", lambda *_: 500)
    with site(installed, monkeypatch) as packages:
        assert game_packages.load(packages.entry_points()) == []
        assert [*DISTRIBUTIONS] == [key]
        async with Sandbox.running() as sandbox, cardroom(sandbox, tmp_path, CARDROOM_COMPUTER_WORKERS="1") as room:
            alice, lobby = sandbox.user("Alice"), sandbox.channel("lobby")
            board = (await alice.slash(lobby, f"{key} practice")).message
            match = await only_match(room)
            if key in RACERS:
                await race_against_computers(room, match, alice, board)
            else:
                await play_against_computers(match, alice, board)
            await eventually(lambda: says(board, say("ending.uncounted_computer"), "Rematch"))
            records = await room.store.records(match.id)
            assert {record.computer for record in records if record.actor} == {"normal 1"}
        assert [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR] == []
    assert not {key} & {*GAMES, *CHOOSERS}
