"""Packages that would end the bot, or change what is everybody's: a trial finds each, and only its game is missing."""

from __future__ import annotations

import asyncio
import os
import random
import subprocess
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

import engines
from bot.games import GAMES
from bot.ops import game_packages
from bot.ops.game_packages import trial
from laws.play import random_match
from tests.bot.ops.databases import ROOT, cardroom
from tests.games.cases import case_of
from tests.packages.site import Site, site

pytestmark = [pytest.mark.real_time, pytest.mark.slow]  # a process each, which loads our cogs

ATTEMPT = trial.attempt
LONGEST = 300

WICKED = {
    "an exit": ("import sys\nsys.exit('needs numpy')", "SystemExit at __init__.py:2 <module>"),
    "an exit without a word": ("import os\nos._exit(0)", "it ends its process (exit code 0)"),
    "a kill": ("import os\nos.kill(os.getpid(), 9)", "it ends its process (signal 9)"),
    "all memory": ("x = []\nwhile True: x.append(bytearray(1 << 28))", "MemoryError at __init__.py:2 <module>"),
    "no end of recursion": ("def f(): f()\nf()", "RecursionError at __init__.py:1 f"),
    "an exception of its own": ("class Own(BaseException): ...\nraise Own", "Own at __init__.py:2 <module>"),
    "a long story": ("raise ImportError('no \\n' * 5000)", "ImportError (no no no"),
    "no end of output": ("while True: print('x' * 1_000_000, flush=True)", "OSError at __init__.py:1 <module>"),
    "closed files": ("import os\nos.closerange(0, 64)", "it ends its process (exit code "),
    "a process": ("import os, time\nif not os.fork(): time.sleep(60)", "it changes the processes that run"),
    "a thread": (
        "import threading, time\nthreading.Thread(target=time.sleep, args=(60,)).start()",
        "it changes the threads that run",
    ),
    "another json": ("import json\njson.loads = lambda text: {}", "it changes json.loads"),
    "another builtin": ("import builtins\nbuiltins.sorted = list", "it changes builtins.sorted"),
    "another of ours": (
        "from engines.chance import SeededChance\nSeededChance.deck = None",
        "it changes engines.chance.SeededChance.deck",
    ),
    "a signal handler": ("import signal\nsignal.signal(15, lambda *_: None)", "it changes the handler of signal 15"),
    "another locale": ("import locale\nlocale.setlocale(locale.LC_ALL, 'POSIX')", "it changes the locale"),
    "another folder": ("import os\nos.chdir('/')", "it changes the current folder"),
    "another environment": ("import os\nos.environ['TZ'] = 'UTC'", "it changes the environment"),
    "a deeper recursion": ("import sys\nsys.setrecursionlimit(10**6)", "it changes the limit of recursion"),
    "a time limit": ("import socket\nsocket.setdefaulttimeout(1)", "it changes the time limit of all connections"),
    "another output": ("import sys, io\nsys.stdout = io.StringIO()", "it changes the standard output"),
    "a log of its own": ("import logging\nlogging.basicConfig(level=10)", "it changes what is logged"),
}
ENDLESS = {
    "a nap": "import time\ntime.sleep(600)",
    "a loop": "while True: ...",
    "a lock": "import threading\nlock = threading.Lock()\nlock.acquire()\nlock.acquire()",
    "deaf": "import signal, time\nsignal.pthread_sigmask(signal.SIG_BLOCK, range(1, 32))\ntime.sleep(600)",
}


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    with site(tmp_path / "site", monkeypatch) as made:
        made.folder.mkdir()
        monkeypatch.setattr(trial, "attempt", ATTEMPT)
        yield made


def spoil(folder: Path, code: str) -> None:
    """Let the package of a folder do this when it has made its game."""
    whole = (folder / "__init__.py").read_text("utf-8")
    (folder / "__init__.py").write_text(f"{code}\n{whole.replace('from __future__ import annotations', '')}", "utf-8")


@pytest.mark.nightly  # a second each, to load our cogs in a process of its own
@pytest.mark.parametrize("kind", WICKED)
def test_a_wicked_package_is_left_out_with_one_line(installed: Site, kind: str) -> None:
    code, reason = WICKED[kind]
    spoil(installed.put(), code)
    (told,) = game_packages.load(installed.entry_points())
    line = str(told)
    assert line.startswith("duel of cardroom-duel 1.2 is left out: ")
    assert reason in line
    assert len(line) <= LONGEST
    assert line.splitlines() == [line]
    assert GAMES == engines.GAMES


@pytest.mark.nightly  # a process each that is waited for
@pytest.mark.parametrize("kind", ENDLESS)
def test_a_package_that_never_ends_is_left_out(installed: Site, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    monkeypatch.setattr(trial, "attempt", partial(ATTEMPT, within=0.7))
    spoil(installed.put(), ENDLESS[kind])
    begun = time.monotonic()
    (told,) = game_packages.load(installed.entry_points())
    assert told.reason == "it isn't loaded within 0.7 seconds"
    assert time.monotonic() - begun < trial.WITHIN


def test_without_packages_no_process_is_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subprocess, "Popen", None)
    assert game_packages.load([]) == []


def test_what_fails_only_in_the_bot_costs_its_game_alone(installed: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """A trial shows what happens once. What a package does the second time is caught all the same."""
    monkeypatch.setattr(trial, "attempt", lambda _: None)
    spoil(installed.put(), "import sys\nsys.exit(1)")
    (told,) = game_packages.load(installed.entry_points())
    assert told.reason.startswith("SystemExit at __init__.py:2 <module>")


def test_no_setting_of_the_bot_reaches_a_trial(installed: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "secret")
    spoil(installed.put(), "import os\nraise ImportError(','.join(sorted(os.environ)))")
    (told,) = game_packages.load(installed.entry_points())
    assert "PYTHONPATH" in told.reason
    assert "TOKEN" not in told.reason


async def test_check_looks_at_all_the_rest_and_the_other_games_play(installed: Site, tmp_path: Path) -> None:
    installed.put("whist", "whist_game")
    spoil(installed.put(), WICKED["an exit without a word"][0])
    path = os.pathsep.join([str(ROOT), str(installed.folder)])
    done = await asyncio.to_thread(cardroom, tmp_path, "check", PYTHONPATH=path)
    assert (done.returncode, done.stderr) == (1, "")
    lines = done.stdout.splitlines()
    assert sum(line.startswith("FAIL installed games: duel of ") for line in lines) == 1
    assert "ok   installed games: whist (whist-game 1.2)" in lines
    assert lines[-1].startswith("ok   bot: ")
    left_out = game_packages.load([each for each in installed.entry_points() if each.name == "duel"])
    assert [each.name for each in left_out] == ["duel"]
    for key in engines.GAMES:
        case, chance = case_of(key), random.Random(1)
        assert random_match(case.deal(*case.setups[0], chance), chance, moves=40).moves
