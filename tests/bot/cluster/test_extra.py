"""What several processes need comes with an extra: without its driver everything else imports and plays."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.bot.ops.databases import environment

pytestmark = pytest.mark.slow  # imports everything in a process of its own

WITHOUT_A_DRIVER = """
import asyncio, pkgutil, sys
sys.modules["psycopg"] = None  # as if it were not installed
import bot, cogs, engines
from importlib import import_module
from pathlib import Path
for package in (engines, bot, cogs):
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        if not module.name.startswith("bot.cluster."):
            import_module(module.name)
from bot.__main__ import Ownership  # what wires them together needs no driver either
from bot.ops import databases
from bot.settings import load_settings
settings = load_settings()
async def play():
    store = await databases.open_store(settings, now=lambda: 1)
    await store.close()
asyncio.run(play())
print(*sorted(name for name in sys.modules if name.startswith("bot.cluster")))
"""


@pytest.mark.nightly  # loads everything in a process
def test_without_the_extra_everything_but_its_package_imports_and_a_store_opens(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_A_DRIVER],
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["bot.cluster", "bot.cluster.ownership"]
