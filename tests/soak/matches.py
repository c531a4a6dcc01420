"""L1: matches of all games at once in many servers, played to the end through discord.py by people who choose among
what they see, and all laws afterwards."""

from __future__ import annotations

import asyncio
import random
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import patch

from bot.play.computers import seats as computer_seats
from bot.play.computers.levels import levels_of
from bot.play.live_match import LiveMatch
from bot.store.special_ids import is_computer
from bot.time_controls import TIME_CONTROLS
from cogs.updates.edit_queue import SPACING
from discord_sandbox import DrivenChannel, JsonObject, MessageView, Person, Reply, Sandbox
from engines import GAMES
from engines.players.levels import RACERS
from engines.players.question import thinking_seconds
from tests.end_to_end.cardroom import Cardroom, cardroom
from tests.end_to_end.players import challenge, sit_down
from tests.games.cases import case_of, typed
from tests.soak.laws import check_matches, check_nothing_left, check_standings, listening, tasks
from tests.soak.logged_facts import LoggedFacts
from tests.soak.people import IDLE, MORE, Manners, PrivateTable, Table, is_begun, table_of
from tests.soak.report import Load, waited
from tests.soak.wire import Wire

SERVERS = 10
TABLES = len(GAMES)
"""Matches at once in a server: one of each game."""
CHANNELS = 2
"""Channels in a server, which its tables share."""
ABSENT = 0.2
"""How many tables have somebody who walks away."""
SETTLING = 120.0
"""Seconds until the last board must be painted."""
HURRY = TIME_CONTROLS["blitz"].turn + 1
"""Seconds that pass at once where only those who walked away are waited for."""
MOST_HURRIES = 1000
OVERTIME = 120.0
"""Seconds past the end that people who resign may take."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is played: how many servers, the chance's seed, the settings that are tried, and how long at most (s)."""

    servers: int = SERVERS
    seed: int = 1
    seconds: float = 600.0
    settings: Mapping[str, tuple[str, ...]] | None = None
    """The settings of each game by name (`GameCase.settings`); of a game without any, all."""
    manners: Manners = field(default_factory=Manners)
    computers: bool = False
    """Whether each table has one person, and computers on all other seats."""


async def run(plan: Plan) -> Load:
    """Play it all."""
    load = Load("L1 computers" if plan.computers else "L1")
    with tempfile.TemporaryDirectory() as folder, listening(load), _quick_computers():
        async with (
            Sandbox.running(_world(plan.servers), transcript_entries=0) as sandbox,
            cardroom(sandbox, Path(folder), CARDROOM_COMPUTER_WORKERS="1") as room,
        ):
            await _play(plan, sandbox, room, load, Path(folder) / "cardroom.db")
    return load


@contextmanager
def _quick_computers() -> Iterator[None]:
    """Computers pretend to think for a tenth of the time."""
    with patch.object(computer_seats, "thinking_seconds", lambda size, luck: thinking_seconds(size, luck) / 10):
        yield


def _world(servers: int) -> JsonObject:
    """Servers whose people are their own: each table's, and one who looks on."""
    people: list[str] = []
    described = []
    for server in range(servers):
        members = [f"P{server}-{table}-{seat}" for table in range(TABLES) for seat in range(6)] + [f"Onlooker {server}"]
        people += members
        channels = [{"name": f"channel-{server}-{number}"} for number in range(CHANNELS)]
        described.append({"name": f"Server {server}", "members": members, "channels": channels, "owner": members[0]})
    return {"people": [{"name": name} for name in people], "servers": described}


async def _play(plan: Plan, sandbox: Sandbox, room: Cardroom, load: Load, database: Path) -> None:
    loop, begun = asyncio.get_running_loop(), time.monotonic()
    tasks_before = tasks()
    found: dict[str, LiveMatch] = {}
    waits: list[float] = []

    def find(table: str) -> LiveMatch | None:
        if table not in found and (match := room.app.matches.playing(table)) is not None:
            found[table] = match
        return found.get(table)

    def reply(answer: Reply, kind: str) -> None:
        load.expect(not answer.failed, f"a press ({kind}) was not answered")
        waits.append(answer.elapsed)

    logged = LoggedFacts(database)
    wire = Wire(load, find, logged.of)
    deaf = sandbox.transcript.listen(wire.hear)
    rng = random.Random(plan.seed)
    at_tables = [table async for table in _opened(plan, sandbox, rng, reply)]
    end = loop.time() + plan.seconds
    async with _hurrying(room, at_tables):
        for ended in await asyncio.gather(*(_to_the_end(table, end) for table in at_tables)):
            load.expect(not ended, ended)
    await sandbox.wait_for(lambda: room.app.updates.edit_queue.idle, SETTLING)
    await asyncio.sleep(SPACING)  # a channel rests after its last edit
    load.expect(wire.unanswered == 0, f"{wire.unanswered} interactions without exactly one first response")
    for table in at_tables:
        _check_board(table, found, load)
    load.expect(len(found) == plan.servers * TABLES, "not every match was found")
    await check_matches(room, found.values(), load)
    for match in found.values():
        _check_computers(match, load)
    await check_standings(room, load)
    await check_nothing_left(room, tasks_before, load)
    deaf()
    logged.close()
    presses = sum((table.presses for table in at_tables), Counter[str]())
    endings = Counter(match.result.kind for match in found.values() if match.result is not None)
    load.figures += [
        f"{len(found)} matches in {plan.servers} servers, {sum(match.position.acts for match in found.values())} acts",
        f"{presses.total()} presses in {time.monotonic() - begun:.0f} s ({_told(presses)})",
        f"endings: {_told(endings)}",
        f"{wire.cards} cards told on the wire",
        f"first response {waited(waits)}",
    ]


def _told(counted: Counter[str]) -> str:
    return ", ".join(f"{count} {what}" for what, count in counted.most_common())


async def _to_the_end(table: Table, end: float) -> str:
    """Play a match; what went wrong, in words."""
    try:
        async with asyncio.timeout_at(end + OVERTIME):
            await table.play(end)
    except TimeoutError:
        return "a match did not end when all resigned"
    except Exception as error:  # noqa: BLE001  one table's trouble is told, and the others play on
        return f"a table stopped: {type(error).__name__}: {error}"
    return ""


# ---------------------------------------------------------------------------------------------- opening


async def _opened(plan: Plan, sandbox: Sandbox, rng: random.Random, reply: Any) -> AsyncIterator[Table]:
    """All tables, their matches begun."""
    settings = {game: _settings(game, plan, rng) for game in GAMES}
    for server in range(plan.servers):
        for number, game in enumerate(GAMES):
            setting, seats = next(settings[game])
            people = [sandbox.user(f"P{server}-{number}-{seat}") for seat in range(seats)]
            channel = sandbox.channel(f"channel-{server}-{number % CHANNELS}", f"Server {server}")
            onlooker = sandbox.user(f"Onlooker {server}")
            if plan.computers:
                board = await _against_computers(people[:seats], channel, game, setting, rng)
                table = PrivateTable if board.ephemeral else Table
                yield table(people[:1], channel, board, onlooker, random.Random(rng.random()), reply, plan.manners)
                continue
            absent = rng.randrange(seats) if rng.random() < ABSENT else None
            clock = "blitz" if absent is not None else rng.choice(("blitz", "normal", "relaxed"))
            options = typed(case_of(game), setting) | ({"clock": clock} if GAMES[game].info.turn_clock else {})
            if seats == 2 and rng.random() < 0.5:
                board = await challenge(people[0], people[1], channel, game, **options)
            else:
                board = await sit_down(people, channel, game, **options)
            yield Table(
                people,
                channel,
                board,
                onlooker,
                random.Random(rng.random()),
                reply,
                plan.manners,
                absent,
                stays=rng.randrange(60),
            )


async def _against_computers(
    people: Sequence[Person], channel: DrivenChannel, game: str, setting: str, rng: random.Random
) -> MessageView:
    """Begin a match of the first person; computers of a random level have the others' seats. The board, once it is
    shown.

    In a race there is one computer: several would race on for a quarter of an hour if the person resigns.
    """
    others = 1 if game in RACERS else len(people) - 1
    number = {"computers": others} if GAMES[game].info.seats[-1] > 2 else {}
    options = {**typed(case_of(game), setting), **number, "level": rng.choice(levels_of(game))}
    board = (await people[0].slash(channel, f"{game} practice", **options)).message
    async with asyncio.timeout(SETTLING):
        while not is_begun(board):  # noqa: ASYNC110  a message announces nothing
            await asyncio.sleep(IDLE)
    return board


def _settings(game: str, plan: Plan, rng: random.Random) -> Iterator[tuple[str, int]]:
    """Settings and numbers of seats of a game, in an order of chance, without end."""
    wanted = None if plan.settings is None else plan.settings.get(game)
    found = [setup for setup in case_of(game).setups if wanted is None or setup[0] in wanted]
    while True:
        yield from rng.sample(found, len(found))


# ---------------------------------------------------------------------------------------------- the end


@asynccontextmanager
async def _hurrying(room: Cardroom, at_tables: Sequence[Table]) -> AsyncIterator[None]:
    """Time passes at once while nobody is waited for but those who walked away."""

    async def hurry() -> None:
        for _ in range(MOST_HURRIES):
            await asyncio.sleep(1.0)
            if all(table.over or table.absent is not None for table in at_tables):
                room.pass_time(HURRY)

    task = asyncio.create_task(hurry())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def _check_computers(match: LiveMatch, load: Load) -> None:
    """No computer loses on time."""
    result = match.result
    if result is not None and result.kind == "time":
        late = [user for user, rank in zip(match.seats, result.ranks, strict=True) if rank == max(result.ranks)]
        load.expect(not any(map(is_computer, late)), f"{match.game.info.key}: a computer lost on time")


def _check_board(table: Table, found: dict[str, LiveMatch], load: Load) -> None:
    """The last board shows the result."""
    match = found.get(table_of(table.board))
    if match is None:
        load.faults["a board of no match"] += 1
        return
    game = match.game.info.key
    load.expect(table.shows_end, f"{game}: the last board shows no end")
    if match.over:
        load.expect(table.board.find_button(MORE) is not None, f"{game}: the last board is no result")
    load.expect(not table.board.deleted, f"{game}: the last board is gone")
