"""L6: somebody presses a hundred times a second while others play: they are limited, privately; nobody else notices."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bot.ui.catalogue import translations
from discord_sandbox import JsonObject, MessageView, Person, Reply, Sandbox
from tests.bench.tables import Table
from tests.end_to_end.players import challenge
from tests.end_to_end.process import ROOT, bot_process
from tests.soak.report import Load, percentile, waited

TABLES = 4
CHANNELS = 2
A_SECOND = 100
LIMIT = 10
"""Presses of one person that are acted on in a second: the setting as it comes."""
SECONDS = 5.0
"""Of each turn; turns with the flood and turns without it take turns."""
TURNS = 3
PAUSE = 0.15
"""Seconds between two presses of the others, who would be limited too if they did not pause."""

TOO_FAST = translations("en")("press.too_fast", limit=LIMIT)


@dataclass
class Watch:
    """What one turn was like."""

    waits: list[float] = field(default_factory=list)
    flood: list[Reply] = field(default_factory=list)


async def run() -> Load:
    """Calm and flood in turns."""
    load = Load("L6")
    build = ROOT / "build"
    build.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=build) as folder:
        async with (
            Sandbox.running(_world(), transcript_entries=0) as sandbox,
            bot_process(sandbox, Path(folder), CARDROOM_PRESSES_PER_SECOND=str(LIMIT)),
        ):
            flooder, partner, *others = sandbox.people
            board = await challenge(flooder, partner, sandbox.channel("table-0"))
            pairs = zip(others[::2], others[1::2], strict=True)
            tables = [
                Table(pair, sandbox.channel(f"table-{number % CHANNELS}"), number) for number, pair in enumerate(pairs)
            ]
            await _turn(tables, None, load)  # to warm up
            calm, flooded = [], []
            for _ in range(TURNS):
                calm.append(await _turn(tables, None, load))
                flooded.append(await _turn(tables, (flooder, board), load))
            _judge(calm, flooded, load)
    return load


def _world() -> JsonObject:
    names = [f"Player {number}" for number in range(2 * TABLES + 2)]
    channels = [{"name": f"table-{number}"} for number in range(CHANNELS)]
    return {"people": [{"name": name} for name in names], "servers": [{"name": "Cardroom", "channels": channels}]}


async def _turn(tables: Sequence[Table], flood: tuple[Person, MessageView] | None, load: Load) -> Watch:
    watch, end = Watch(), asyncio.get_running_loop().time() + SECONDS
    playing = [_play(table, watch, end, load) for table in tables]
    if flood is not None:
        playing.append(_flood(*flood, watch))
    await asyncio.gather(*playing)
    await asyncio.sleep(1.0)  # the flooder's second is over
    return watch


async def _play(table: Table, watch: Watch, end: float, load: Load) -> None:
    while asyncio.get_running_loop().time() < end:
        made = await table.play()
        if made is not None:
            _, reply = made
            load.expect(not reply.failed, "a press of somebody else was not answered")
            load.expect(reply.text != TOO_FAST, "somebody else was limited")
            watch.waits.append(reply.elapsed)
        await asyncio.sleep(PAUSE)


async def _flood(person: Person, board: MessageView, watch: Watch) -> None:
    async def press(number: int) -> None:
        await asyncio.sleep(number / A_SECOND)
        watch.flood.append(await person.press(board, label="My cards"))

    await asyncio.gather(*(press(number) for number in range(int(A_SECOND * SECONDS))))


def _judge(calm: Sequence[Watch], flooded: Sequence[Watch], load: Load) -> None:
    replies = [reply for watch in flooded for reply in watch.flood]
    acted = told = silent = 0
    for reply in replies:
        load.expect(not reply.failed, "a press of the flood was not answered")
        private = reply.visibility == "ephemeral" or reply.kind == "deferred_update"
        load.expect(private, "the flood was answered in public")
        silent += reply.kind == "deferred_update"
        told += reply.text == TOO_FAST
        acted += reply.kind == "message" and reply.text != TOO_FAST
    most = TURNS * (int(SECONDS) + 1) * LIMIT
    load.expect(acted <= most, f"{acted} presses of the flood were acted on; at most {most} should be")
    load.expect(1 <= told <= most, f"the flooder was told {told} times that it is too fast")
    load.expect(silent >= len(replies) / 2, "most of the flood should only be acknowledged")
    before = [wait for watch in calm for wait in watch.waits]
    during = [wait for watch in flooded for wait in watch.waits]
    load.figures += [
        f"{len(replies)} presses of one person: {acted} acted on, {told} told, {silent} acknowledged",
        f"others: {waited(before)} in calm, {waited(during)} beside it",
        f"p50 {percentile(during, 50) / percentile(before, 50):.2f} of calm",
    ]
