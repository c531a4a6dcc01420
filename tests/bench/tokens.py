"""Boards through interactions (decision 33): ``python -m tests.bench.tokens [--brief] [--virtual] [MOVES]``.

First the ceiling: many tables are played at once, on a Discord that enforces its limits, by a bot that edits boards
through tokens and then by the same bot with that way turned off. People make MOVES a second in all, 130 unless told
otherwise. The bot is a process of its own; the sandbox and the people are in this one. How far a board is behind is
measured from outside: from the answer to a move until the next edit of its board (p50 and p99 in the table). Requests
by the bot's own token and edits through tokens, also of hands, are counted a second. With --virtual all are in one
process and in virtual time (`discord_sandbox.virtual_time`): a busy machine takes longer and finds the same, for time
passes only while all wait, so limits and queues decide and no processor does.

Then how many edits find a token, for matches of 5 and of 40 minutes. Such a match is played in seconds: after each
move, the sandbox's time and the bot's time move on.
"""

# ruff: noqa: T201  a benchmark prints

from __future__ import annotations

import asyncio
import os
import random
import sqlite3
import sys
import tempfile
from bisect import bisect_right
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from discord_sandbox import Entry, Event, Exchange, JsonObject, MessageView, Refused, Sandbox, virtual_time
from tests import database_time
from tests.bench.processes import cpu_seconds
from tests.bench.sizes import BRIEF
from tests.end_to_end.cardroom import Cardroom, cardroom, eventually
from tests.end_to_end.players import acts, challenge, hand_of, move
from tests.end_to_end.process import ROOT, bot_process
from tests.soak.report import percentile

VIRTUAL: Final = "--virtual"
GOAL_MOVES, GOAL_LAG = 120, 1.0
"""Moves a second, and the seconds that a board may be behind at the median."""
GAME: Final = "unbreakable"
"""A move of it is one press, and every move changes the board."""
TABLES_A_SERVER: Final = 8
LATEST: Final = 30.0
"""Seconds after the end in which a board's last edit still counts."""
HOUR: Final = 3600.0


@dataclass(frozen=True, slots=True)
class Scale:
    """How many tables are played, the seconds between two moves at each, for how long after how long a warming; and how
    many matches of how many moves are played for the share of edits that find a token."""

    tables: int
    pause: float
    warming: float
    seconds: float
    matches: int
    moves: int


USUAL = Scale(tables=260, pause=2.0, warming=6.0, seconds=30.0, matches=5, moves=40)
SMALL = Scale(tables=8, pause=1.0, warming=0.5, seconds=2.0, matches=1, moves=6)


def main(argv: list[str]) -> int:
    """Print the figures; 1 if a bot did not answer a press."""
    asked = [int(each) for each in argv if each.isdecimal()]
    scale = SMALL if BRIEF in argv else USUAL
    if asked:
        scale = replace(scale, tables=round(asked[0] * scale.pause))
    virtual = VIRTUAL in argv
    with asyncio.Runner(loop_factory=_virtual_loop if virtual else None) as runner:
        unanswered = runner.run(_ceiling(scale, virtual=virtual))
    asyncio.run(_shares(scale))
    return 1 if unanswered else 0


def _virtual_loop() -> asyncio.AbstractEventLoop:
    database_time.install()
    return virtual_time.VirtualTimeLoop()


# ---------------------------------------------------------------------------------------------- the ceiling


@dataclass
class Seen:
    """What came over the wire."""

    edits: dict[int, list[float]] = field(default_factory=lambda: defaultdict(list))
    """When each message was edited, in the loop's time."""
    answers: list[tuple[int, float]] = field(default_factory=list)
    """The moves: which board, and when the press was answered."""
    by_bot: int = 0
    by_token: int = 0
    limited: int = 0
    unanswered: int = 0

    def hear(self, entry: Entry) -> None:
        """Count one request."""
        if not isinstance(entry, Exchange):
            return
        self.by_bot += "/interactions/" not in entry.path and "/webhooks/" not in entry.path
        self.by_token += entry.method == "PATCH" and "/webhooks/" in entry.path
        self.limited += entry.status == 429

    def note(self, event: Event) -> None:
        """Note an edit of a public message."""
        if event.name == "MESSAGE_UPDATE" and event.reader is None and event.message is not None:
            self.edits[event.message.id].append(asyncio.get_running_loop().time())

    def lags(self) -> list[float]:
        """For each move, the seconds until its board was edited next."""
        found = []
        for board, at in self.answers:
            edits = self.edits[board]
            index = bisect_right(edits, at)
            found.append(edits[index] - at if index < len(edits) else LATEST)
        return found


def _plan(tables: int) -> JsonObject:
    """A channel for each table, and two people who play there."""
    people: list[str] = []
    servers = []
    for first in range(0, tables, TABLES_A_SERVER):
        numbers = range(first, min(tables, first + TABLES_A_SERVER))
        members = [f"P{number}-{side}" for number in numbers for side in range(2)]
        people += members
        channels = [{"name": f"table-{number}"} for number in numbers]
        servers.append({"name": _server(first), "members": members, "owner": members[0], "channels": channels})
    return {"people": [{"name": name} for name in people], "servers": servers}


def _server(number: int) -> str:
    """The server in which a table is."""
    return f"Server {number // TABLES_A_SERVER}"


async def _ceiling(scale: Scale, *, virtual: bool) -> int:
    """Compare both ways; how many presses failed."""
    asked = scale.tables / scale.pause
    print(f"{scale.tables} tables of {GAME}, {asked:.0f} moves/s asked for, {scale.seconds:.0f} s, limits enforced")
    print(f"goal: {GOAL_MOVES} moves/s, boards at most {GOAL_LAG:.0f} s behind at the median\n")
    print("| boards by | moves/s | p50 | p99 | by the bot, a second | by tokens, a second | 429 | CPU of the bot |")
    print("|---|---|---|---|---|---|---|---|")
    ways = (("tokens", "on"), ("the bot alone", "off"))
    return sum([await _one_way(scale, name, setting, virtual=virtual) for name, setting in ways])


@asynccontextmanager
async def _bot(sandbox: Sandbox, folder: Path, setting: str, *, virtual: bool) -> AsyncIterator[int]:
    """A bot with the way turned on or off; the number of the process that it is in."""
    settings = {"CARDROOM_INTERACTION_EDITS": setting, "CARDROOM_BACKUP_HOURS": "0", "CARDROOM_LOG_LEVEL": "ERROR"}
    if virtual:
        async with cardroom(sandbox, folder, **settings):  # type: ignore[arg-type]  # no setting is called "ahead"
            yield os.getpid()
    else:
        async with bot_process(sandbox, folder, **settings) as bot:
            yield bot.pid


async def _one_way(scale: Scale, name: str, setting: str, *, virtual: bool) -> int:
    build = ROOT / "build"
    build.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=build) as folder:
        async with Sandbox.running(_plan(scale.tables), transcript_entries=0) as sandbox:
            sandbox.rate_limits.enforced = True
            async with _bot(sandbox, Path(folder), setting, virtual=virtual) as pid:
                rng, seen = random.Random(1), Seen()
                tables = [_Table(sandbox, number, rng, seen) for number in range(scale.tables)]
                for table in tables:
                    await table.sit_down()
                stop = asyncio.Event()
                playing = [asyncio.create_task(table.play(scale.pause, stop)) for table in tables]
                await asyncio.sleep(scale.warming)
                sandbox.transcript.listen(seen.hear)
                sandbox.listen(seen.note)
                for table in tables:
                    table.counted = True
                before, worked = _moves(Path(folder)), cpu_seconds(pid)
                await asyncio.sleep(scale.seconds)
                made, worked = _moves(Path(folder)) - before, cpu_seconds(pid) - worked
                for table in tables:
                    table.counted = False
                by_bot, by_token, limited = seen.by_bot, seen.by_token, seen.limited
                stop.set()
                await asyncio.gather(*playing)
                await _until_shown(sandbox, seen)
    lags, seconds = seen.lags(), scale.seconds
    processor = "-" if virtual else f"{worked / seconds:.0%}"
    print(
        f"| {name} | {made / seconds:.0f} | {percentile(lags, 50) / 1000:.2f} s | {percentile(lags, 99) / 1000:.2f} s"
        f" | {by_bot / seconds:.1f} | {by_token / seconds:.1f} | {limited} | {processor} |",
        flush=True,
    )
    if seen.unanswered:
        print(f"{seen.unanswered} presses were not answered")
    return seen.unanswered


class _Table:
    """Two people who play one match after the other, each from their own hand."""

    def __init__(self, sandbox: Sandbox, number: int, rng: random.Random, seen: Seen) -> None:
        self._people = (sandbox.user(f"P{number}-0"), sandbox.user(f"P{number}-1"))
        self._channel = sandbox.channel(f"table-{number}", server=_server(number))
        self._rng = rng
        self._seen = seen
        self._hands: list[MessageView] = []
        self._board: MessageView | None = None
        self.counted = False
        """Whether moves count now."""

    async def sit_down(self) -> None:
        """Begin a match and open both hands, if the bot answers."""
        self._hands = []
        try:
            self._board = await challenge(*self._people, self._channel, GAME)
            self._hands = [await hand_of(person, self._board) for person in self._people]
        except (AssertionError, LookupError, Refused):  # what was to be shown was not, or not in time
            self._seen.unanswered += 1

    async def play(self, pause: float, stop: asyncio.Event) -> None:
        """Move in turn, one move in each pause, until told to stop."""
        side = 0
        await asyncio.sleep(self._rng.uniform(0, pause))
        loop = asyncio.get_running_loop()
        due = loop.time()
        while not stop.is_set():
            if not any(acts(hand) for hand in self._hands):
                await self.sit_down()
            await self._move(side)
            side = 1 - side
            due += pause
            await asyncio.sleep(max(0.0, due - loop.time()))

    async def _move(self, side: int) -> None:
        offered = acts(self._hands[side]) if len(self._hands) > side else []
        if not offered or self._board is None:
            return
        counted, board = self.counted, self._board.id
        reply = await self._people[side].press(self._hands[side], custom_id=self._rng.choice(offered).custom_id)
        self._seen.unanswered += reply.failed
        if counted:
            self._seen.answers.append((board, asyncio.get_running_loop().time()))


async def _until_shown(sandbox: Sandbox, seen: Seen) -> None:
    """Wait until every move is on its board, for a while."""
    last = dict(seen.answers)
    with suppress(TimeoutError):
        await sandbox.wait_for(
            lambda: all(max(seen.edits[board], default=at) > at for board, at in last.items()), LATEST
        )


def _moves(folder: Path) -> int:
    """How many acts people have made, as the database has them."""
    with closing(sqlite3.connect(f"file:{folder / 'cardroom.db'}?mode=ro", uri=True)) as db:
        (made,) = db.execute("SELECT count(*) FROM records WHERE actor IS NOT NULL").fetchone()
    return int(made)


# ---------------------------------------------------------------------------------------------- shares


async def _shares(scale: Scale) -> None:
    print(f"\n{scale.matches} matches of Haymaker of up to {scale.moves} moves each\n")
    print("| a match takes | edits | through a token | moves/s that 40 requests/s allow |")
    print("|---|---|---|---|")
    for minutes in (5, 40):
        edits, by_token = await _share(minutes, scale)
        others = edits - by_token
        allowed = "no bound" if not others else f"{40 * edits / others:.0f}"
        print(f"| {minutes} minutes | {edits} | {by_token / edits:.0%} | {allowed} |", flush=True)


async def _share(minutes: int, scale: Scale) -> tuple[int, int]:
    """How many edits the boards of matches that last these minutes took, and how many of them found a token."""
    with tempfile.TemporaryDirectory() as folder:
        async with Sandbox.running(transcript_entries=0) as sandbox:
            sandbox.rate_limits.enforced = True
            sandbox.limits.heartbeat_patience = HOUR  # heartbeats take real time
            async with cardroom(sandbox, Path(folder)) as room:
                for number in range(scale.matches):
                    await _play(sandbox, room, minutes * 60 / scale.moves, scale.moves, random.Random(number))
                ways = _edits(room)
    return sum(ways), ways[1]


def _edits(room: Cardroom) -> tuple[int, int]:
    """How many edits of boards were made by the bot's own token, and how many through interactions."""
    by_bot, by_token = (int(room.figures[f"cardroom_board_edits_total by={by}"]) for by in ("bot", "interaction"))
    return by_bot, by_token


async def _play(sandbox: Sandbox, room: Cardroom, pause: float, moves: int, rng: random.Random) -> None:
    """Play a match with a pause (in seconds) after each move. Hands are opened once, as people do."""
    host, guest = sandbox.people[:2]
    board = await challenge(host, guest, sandbox.channel("lobby"), clock="daily")
    match = max(room.app.matches.live(), key=lambda each: each.board_id or 0)
    hands = {person.id: await hand_of(person, board) for person in (host, guest)}
    for _ in range(moves):
        if match.over:
            return
        edits = _edits(room)

        async def shown(before: tuple[int, int] = edits) -> bool:
            return _edits(room) != before

        person = host if host.id == match.seats[min(match.awaited)] else guest
        made = await move(person, hands[person.id], rng)
        if made is None:
            hands[person.id] = await hand_of(person, board)
            made = await move(person, hands[person.id], rng)
        if made is not None:
            await eventually(shown)
        sandbox.advance(pause)
        room.pass_time(pause)
        await sandbox.wait_for(lambda: room.app.updates.edit_queue.idle)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
