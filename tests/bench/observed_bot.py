"""``python -m tests.bench.observed_bot``: the bot, which also writes down now and then what only it can count."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

import bot.__main__ as program
from bot import kept

FILE: Final = "OBSERVED_BOT_FILE"
"""The variable of the environment that names the file: a JSON object with `tasks`, those of the event loop,
`blocks`, the pieces of memory that Python has allocated, and `kept`, how many entries there are of what is kept, and
how many there may be (null: one for each open thing)."""
EVERY: Final = 2.0
"""Seconds between two counts."""

_run = program.run


async def _observed(*given: Any, **named: Any) -> int:
    observing = asyncio.create_task(_observe(Path(os.environ[FILE])))
    try:
        return await _run(*given, **named)
    finally:
        observing.cancel()


async def _observe(file: Path) -> None:
    unfinished = file.with_suffix(".new")
    while True:
        counted = {
            "tasks": len(asyncio.all_tasks()),
            "blocks": sys.getallocatedblocks(),
            "kept": {each.name: [each.size, each.most] for each in kept.counts()},
        }
        unfinished.write_text(json.dumps(counted), encoding="utf-8")
        unfinished.replace(file)
        await asyncio.sleep(EVERY)


if __name__ == "__main__":
    with patch.object(program, "run", _observed):
        sys.exit(program.main([]))
