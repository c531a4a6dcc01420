"""What every upgrade is tried on: a database of each version of the tables, and matches of each version of the rules.

Before a migration is added, and before a game's `rules_version` is raised, run::

    python -m tests.upgrades.make

It plays on a sandbox with the program as it is and writes what is not there yet: the database of the present tables to
`databases/`, and for each game matches under its present rules to `logs/`. What is there is never written over: it was
made by the program of its day, and that is what it is for. Look the new files over and commit them with the change.
"""

from __future__ import annotations

import asyncio
import json
import random
import sqlite3
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from bot.play.match_state import codec
from bot.store.rows import Suspension
from bot.store.sqlite.schema import MIGRATIONS, migrations
from engines import GAMES
from engines.game import AnyGame, Resign, TimeUp
from laws.play import FIRST_USER, MatchLog, Odds, random_act, random_match
from sandbox import Sandbox
from sandbox.clients.driver import Person
from tests.end_to_end.cardroom import Cardroom, cardroom
from tests.end_to_end.players import challenge, sit_down
from tests.games.cases import case_of
from tests.upgrades.knowing import known

HERE: Final = Path(__file__).parent
DATABASES: Final = HERE / "databases"
LOGS: Final = HERE / "logs"

LIVE: Final[tuple[tuple[str, int, dict[str, object], int], ...]] = (
    ("haymaker", 2, {}, 0),
    ("haymaker", 2, {"clock": "daily"}, 6),
    ("unbreakable", 2, {}, 0),
    ("unbreakable", 2, {"preset": "short"}, 4),
    ("ciq", 2, {}, 0),
    ("ciq", 3, {"preset": "quick", "round_limit": 10}, 9),
    ("tivmiv", 2, {"phases": 2}, 0),
    ("tivmiv", 3, {"phases": 1, "idle_seconds": 60}, 12),
    ("champions", 2, {}, 0),
    ("champions", 4, {"die": "soft_blind", "victory_dice": True}, 12),
)
"""The matches left in play: game, people, options, and how many acts were made."""

OVER: Final[tuple[tuple[str, int, dict[str, object]], ...]] = (
    ("unbreakable", 2, {}),
    ("ciq", 2, {"preset": "quick"}),
    ("tivmiv", 2, {"phases": 1}),
    ("champions", 3, {"wacky_numbers": True}),
)
"""Matches that are left by their players after `LEFT_AFTER` acts; one of Haymaker is played out."""

ELSEWHERE: Final = 200_000_000_000_000_999
"""A server that the bot was removed from."""

LEFT_AFTER: Final = 6
FEWEST: Final = 6
"""Acts of a match that is worth keeping."""
LONGEST: Final = 60
"""Acts of a match that is kept whole."""
CUT: Final = 24
"""Acts that are kept of a longer one."""
TRIES: Final = 600
"""Matches that are looked at for facts and acts not kept yet."""


def database_file(version: int) -> Path:
    """The file with a database of this version of the tables."""
    return DATABASES / f"schema-{version:04}.sql"


def logs_file(key: str, version: int) -> Path:
    """The file with matches of a game under this version of its rules."""
    return LOGS / f"{key}-v{version}.jsonl"


# ---------------------------------------------------------------------------------------------- a database


class Players:
    """People who act by chance, without a look at their hands; their presses are numbered from `press` on."""

    def __init__(self, room: Cardroom, rng: random.Random, press: int = 1) -> None:
        self._room = room
        self._rng = rng
        self._press = press

    async def play(self, match: Any, most: int) -> None:
        """Make so many acts, the clock's among them where nobody has anything to do."""
        for _ in range(most):
            window = match.position.window
            if window is None:
                return
            for seat in self._rng.sample(sorted(window.may_act), len(window.may_act)):
                action = random_act(match.choices(seat), self._rng)
                if action is not None:
                    await self.act(match, seat, action)
                    break
            else:
                timer = min(match.position.timers, key=lambda each: each.deadline)
                await self.act(match, None, TimeUp(timer.name, timer.key))

    async def leave(self, match: Any) -> None:
        """Have all but the last resign."""
        for seat in range(len(match.seats) - 1):
            if not match.over:
                await self.act(match, seat, Resign())

    async def act(self, match: Any, seat: int | None, action: Any) -> None:
        """Make one act."""
        if seat is None:
            await match.act(None, action)
            self._room.app.clock.settle(match)
            self._room.app.updates.match_changed(match)
            return
        self._press += 1
        with self._room.press(match, self._press) as press:
            await press.act(match, seat, action)


async def fill(sandbox: Sandbox, room: Cardroom) -> None:
    """Have everything happen that leaves a row."""
    people, lobby = sandbox.people, sandbox.channel("lobby")
    alice, bob, carol, _, erin, frank = people
    players = Players(room, random.Random(1))
    room.app.updates.turn_notices._after = 3600.0

    async def seated(those: list[Person], game: str, options: dict[str, object]) -> Any:
        before = {match.id for match in room.app.matches.live()}
        if len(those) == 2:
            await challenge(those[0], those[1], lobby, game, **options)
        else:
            await sit_down(those, lobby, game, **options)
        (match,) = [match for match in room.app.matches.live() if match.id not in before]
        return match

    await players.play(await seated([erin, frank], "haymaker", {}), 200)
    for game, seats, options in OVER:
        match = await seated([erin, frank, alice][:seats], game, options)
        await players.play(match, LEFT_AFTER)
        await players.leave(match)
    off = await seated([frank, erin], "unbreakable", {})
    for seat, number in ((0, 900_001), (1, 900_002)):
        with room.press(off, number) as press:
            await press.call_off(off, seat)
    for game, seats, options, acts in LIVE:
        match = await seated(people[:seats], game, options)
        await players.play(match, acts)
    room.app.updates.turn_notices._after = 0.0
    waiting = await seated([carol, bob], "haymaker", {"clock": "relaxed"})
    room.app.updates.match_changed(waiting)
    await until(room.store.notices)
    agreed = await seated([bob, carol], "champions", {})
    with room.press(agreed, 900_003) as press:
        await press.call_off(agreed, 0)

    await alice.slash(lobby, "haymaker challenge", opponent=bob)
    declined = await bob.slash(lobby, "ciq challenge", opponent=alice)
    await alice.press(declined.message, label="Decline")
    table = await carol.slash(lobby, "tivmiv open", phases=3)
    await bob.press(table.message, label="Join")
    await since_the_first(room, sandbox)


async def since_the_first(room: Cardroom, sandbox: Sandbox) -> None:
    """What only later tables have a place for. The next who add one, add a line: the file of their day will hold it."""
    version, store, lobby = len(migrations(MIGRATIONS)), room.store, sandbox.channel("lobby")
    alice, bob, _, _, erin, _ = sandbox.people
    if version >= 2:
        await alice.slash(lobby, "notify", level="quiet")
        await bob.slash(lobby, "notify", level="none")
    if version >= 3:
        asked = await erin.slash(lobby, "mydata delete")
        await erin.press(asked.message, label="Delete my data")
        await until(lambda: lacks(store.matches_of(lobby.server_id or 0, erin.id)))
    if version >= 4:
        match = next(match for match in room.app.matches.live() if match.game.info.key == "ciq")
        await store.save_selection(match.id, 0, match.window_number, "defend.0")
    if version >= 5:
        match = next(match for match in room.app.matches.live() if match.game.info.key == "unbreakable")
        await room.app.lifecycle.suspend(match, Suspension.NO_ACCESS)
        await store.record_departure(ELSEWHERE, room.app.clock.now())


async def lacks(found: Awaitable[object]) -> bool:
    """Whether nothing is found."""
    return not await found


async def until(there: Callable[[], Awaitable[object]]) -> None:
    """Return once something is there. Raises TimeoutError after ten seconds."""
    for _ in range(500):
        if await there():
            return
        await asyncio.sleep(0.02)
    raise TimeoutError("what was waited for did not come")


async def make_database(folder: Path) -> str:
    """A database of the present tables in which something of everything has happened, as SQL."""
    async with Sandbox.running() as sandbox, cardroom(sandbox, folder) as room:
        await fill(sandbox, room)
        await room.store.record_heartbeat(room.app.clock.now())
    with closing(sqlite3.connect(folder / "cardroom.db")) as db:
        (version,) = db.execute("PRAGMA user_version").fetchone()
        return "\n".join([*db.iterdump(), f"PRAGMA user_version = {version};", ""])


# ---------------------------------------------------------------------------------------------- matches


def make_logs(game: AnyGame) -> Iterator[str]:
    """Matches of a game under its present rules, as JSON lines: one at each setting, then those with something new.

    Each begins with a line on the match; its records follow, and after some of them what everybody then knew.
    """
    key, kept = game.info.key, set[type]()
    rng = random.Random(key)
    settings = list(case_of(key).settings)
    wanted = {*game.info.events, *game.info.actions, TimeUp, Resign}
    for number in range(TRIES):
        setting = settings[number % len(settings)]
        seats = rng.choice(game.info.seats)
        odds = Odds() if number < len(settings) else Odds(time=rng.choice((0.05, 0.3)), resign=0.03)
        deal = replace(case_of(key).deal(setting, seats, rng), match_id=f"kept{number}")
        try:
            log = random_match(deal, rng, odds)
        except ValueError:  # options that do not fit so many seats
            continue
        longest = LONGEST if number < TRIES // 2 else 3 * LONGEST  # what is new yet comes late in a match
        acts = len(log.moves) if len(log.moves) <= longest else CUT
        classes = {type(event) for event in log.events(acts)} | {type(move.action) for move in log.moves[:acts]}
        if acts >= FEWEST and (number < min(3, len(settings)) or classes - kept):
            kept |= classes
            yield from _lines(log, acts)
    if wanted - kept:
        sys.stderr.write(f"{key}: not in any match: {', '.join(sorted(cls.__name__ for cls in wanted - kept))}\n")


def _lines(log: MatchLog, acts: int) -> Iterator[str]:
    deal, written = log.deal, codec(log.deal.game.info.key)
    head = {
        "id": deal.match_id,
        "game": deal.game.info.key,
        "rules_version": deal.game.info.rules_version,
        "options": written.encode(deal.options),
        "seats": [FIRST_USER + seat for seat in range(deal.seats)],
        "seed": deal.seed.hex(),
    }
    yield _line({"match": head})
    looked = {0, acts // 3, 2 * acts // 3, acts - 2, acts}
    for seq in range(acts + 1):
        move = log.moves[seq - 1] if seq else None
        record = {
            "seq": seq,
            "actor": move.actor if move else None,
            "action": written.encode(move.action) if move else None,
            "events": written.encode_all(move.events if move else log.opening),
        }
        yield _line({"record": record})
        if seq in looked:
            yield _line({"known": known(deal.game, log.states[seq], deal.seats)})


def _line(value: object) -> str:
    return f"{json.dumps(value, separators=(',', ':'), ensure_ascii=True)}\n"


# ---------------------------------------------------------------------------------------------- the command


def main() -> None:
    """Write what is not there yet."""
    DATABASES.mkdir(exist_ok=True)
    LOGS.mkdir(exist_ok=True)
    file = database_file(len(migrations(MIGRATIONS)))
    if not file.exists():
        with tempfile.TemporaryDirectory() as folder:
            file.write_text(asyncio.run(make_database(Path(folder))), encoding="utf-8")
        sys.stdout.write(f"made {file}\n")
    for key, game in GAMES.items():
        file = logs_file(key, game.info.rules_version)
        if not file.exists():
            file.write_text("".join(make_logs(game)), encoding="ascii")
            sys.stdout.write(f"made {file}\n")


if __name__ == "__main__":
    main()
