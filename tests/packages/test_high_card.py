"""The example as a package of its own: pip installs it, the bot finds it and plays it, and its own tests pass there."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bot.games import DISTRIBUTIONS, GAMES
from bot.ops import game_packages
from discord_sandbox import Sandbox
from tests.end_to_end.cardroom import cardroom
from tests.end_to_end.players import acts, challenge, hand_of, play_out
from tests.packages.site import site

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "high_card"


def run(*command: str, cwd: Path, **environ: str) -> str:
    """A command's output; the test fails with all that it said if it fails."""
    done = subprocess.run(
        command, cwd=cwd, env={**os.environ, **environ}, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which pip has installed the example, without a network."""
    folder = tmp_path_factory.mktemp("installed")
    source = folder / "source"
    shutil.copytree(EXAMPLE, source, ignore=shutil.ignore_patterns("__pycache__"))
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--no-deps", "--no-index")
    run(*pip, "--no-build-isolation", "--target", str(folder / "packages"), str(source), cwd=folder)
    return folder / "packages"


def test_check_names_it(installed: Path, tmp_path: Path) -> None:
    path = os.pathsep.join([str(ROOT), str(installed)])
    said = run(sys.executable, "-m", "bot.launcher", "check", cwd=tmp_path, PYTHONPATH=path)
    assert "ok   installed games: high_card (cardroom-high-card 1.0.0)" in said.splitlines()


def test_its_own_tests_and_the_laws_pass_far_from_its_source(installed: Path, tmp_path: Path) -> None:
    shutil.copytree(EXAMPLE / "tests", tmp_path / "tests")
    shutil.copy(EXAMPLE / "conftest.py", tmp_path)
    path = os.pathsep.join([str(ROOT), str(installed)])
    said = run(sys.executable, "-m", "pytest", "-q", "-p", "no:asyncio", "tests", cwd=tmp_path, PYTHONPATH=path)
    assert "passed" in said


async def test_it_is_played_to_its_end(installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with site(installed, monkeypatch) as packages:
        assert game_packages.load(packages.entry_points()) == []
        assert DISTRIBUTIONS == {"high_card": "cardroom-high-card 1.0.0"}
        async with Sandbox.running() as sandbox, cardroom(sandbox, tmp_path) as room:
            alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
            board = await challenge(alice, bob, lobby, "high_card", tricks=3)
            (match,) = room.app.matches.live()
            mine, theirs = await hand_of(alice, board), await hand_of(bob, board)
            laid = acts(mine)[0].label
            await alice.press(mine, custom_id=acts(mine)[0].custom_id)
            await sandbox.wait_for(lambda: "has laid a card" in board.text)
            assert laid not in board.text + theirs.text
            await play_out({"Alice": alice, "Bob": bob}, board, random.Random(4))
            assert match.result is not None
            assert match.result.kind in ("tricks", "draw")
            again = ["Replay", "Other options…", "Why did my rating change?"]
            await sandbox.wait_for(lambda: board.labels == ["Rematch", "Rules", "Proof", *again])
    assert "high_card" not in GAMES
