"""What people and other programs hold a release to, beside its data: commands with their options, settings, exit codes,
verbs in the ids of buttons, and the formats of what it writes.

`tests.upgrades.make --release` keeps it for each release in `promised/`. `test_promised.py` holds all later programs to
it: more may come, nothing may go.
"""

from __future__ import annotations

import asyncio
import json
import re
import tomllib
from pathlib import Path
from typing import Any, Final

from discord import AppCommandType, app_commands

from bot.__main__ import build
from bot.play.deals import match_export
from bot.scheduler import LoopScheduler
from bot.settings import Settings
from bot.store import dump_format, packed_log
from bot.store.sqlite import changes_file
from bot.telemetry import NO_TELEMETRY
from cogs.actions.dispatcher import Router
from engines import deals
from tests.bot.store.memory_store import MemoryStore
from tests.insides import Insides

ROOT: Final = Path(__file__).parents[2]
FOLDER: Final = Path(__file__).parent / "promised"
RELEASES: Final = tuple(sorted(file.stem for file in FOLDER.glob("*.json")))
"""The versions whose promises are kept."""


def version() -> str:
    """The version of the program as it is."""
    return str(tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"])


def file_of(release: str) -> Path:
    """The file with what a release promised."""
    return FOLDER / f"{release}.json"


def written() -> str:
    """What the program promises, as JSON."""
    return json.dumps(promised(), indent=1, sort_keys=True) + "\n"


def promised() -> dict[str, Any]:
    """What the program promises, as JSON values. Lists are of names; formats are numbers that only grow."""
    verbs, commands = asyncio.run(_asked())
    return {
        "commands": commands,
        "exit codes": sorted(re.findall(r"^\| (\d+) \|", _page("docs/operating.md"), re.MULTILINE), key=int),
        "formats": {
            "backup of changes": changes_file.FORMAT,
            "deal": deals.VERSION,
            "dump": dump_format.FORMAT,
            "exported match": int(match_export.FORM.rpartition("v")[2]),
            "packed log": packed_log.FORMAT[0],
        },
        "settings": sorted(str(field.alias) for field in Settings.model_fields.values()),
        "verbs": verbs,
    }


def lost(then: Any, now: Any, where: str = "") -> list[str]:
    """What was promised then and isn't there now."""
    if isinstance(then, dict):
        gone = [f"{where}/{key}" for key in then if key not in now]
        return gone + [each for key in then if key in now for each in lost(then[key], now[key], f"{where}/{key}")]
    if isinstance(then, list):
        return [f"{where}/{item}" for item in then if item not in now]
    return [where] if now < then else []


async def _asked() -> tuple[list[str], dict[str, list[str]]]:
    """The verbs that are answered, and the commands, each with its options."""
    scheduler = LoopScheduler()
    client, _ = build(Settings(), MemoryStore(now=scheduler.now), scheduler, NO_TELEMETRY)
    assert client.dispatcher is not None
    client.dispatcher.load()
    insides, options = Insides(client), dict[str, list[str]]()
    for each in client.tree.walk_commands():
        if isinstance(each, app_commands.Command):
            options[f"/{each.qualified_name}"] = [option.name for option in each.parameters]
    menus = {each.qualified_name: list[str]() for each in client.tree.get_commands(type=AppCommandType.user)}
    return sorted(insides.find(Router).writes), {**options, **menus}


def _page(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")
