"""The whole bot in a test: the real client and a real database, on a sandbox in the same loop."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractContextManager, asynccontextmanager
from itertools import count
from pathlib import Path
from weakref import WeakKeyDictionary

from bot.__main__ import build
from bot.cluster.ownership import Ownership
from bot.computers.pool import WorkerPool
from bot.computers.reviewer import Reviewer
from bot.gateway import announced_commands
from bot.gateway.client import CardroomClient, CardroomCommandTree
from bot.ops.metrics import Metrics
from bot.play.live_match import LiveMatch
from bot.play.match_press import MatchPress
from bot.scheduler import day_of, ends_at
from bot.settings import load_settings
from bot.store.sqlite.store import SqliteStore
from bot.ui.catalogue import Translations
from discord_sandbox import Sandbox
from discord_sandbox.discord_py import connected
from engines.game import Resign
from tests import new_database
from tests.figures import read
from tests.insides import Insides
from tests.movable_scheduler import MovableScheduler
from tests.quick_reviewer import QuickReviewer
from tests.shared_store import another_process

WORKERS = "CARDROOM_COMPUTER_WORKERS"
FAST = "1000"
"""Presses a second that a person in a test may make: they do not stop to think."""
TRIES = 3000
"""How often a test looks for what is to come, 10 ms apart."""


_fingerprint, _payloads = announced_commands.fingerprint, announced_commands.payloads
_fingerprints: WeakKeyDictionary[CardroomCommandTree, str] = WeakKeyDictionary()
_made: dict[object, list[announced_commands.Payload]] = {}


def _fingerprint_remembered(tree: CardroomCommandTree, *, to_people: bool) -> str:
    found = _fingerprints[tree] = _fingerprint(tree, to_people=to_people)
    return found


async def _payloads_made_once(
    tree: CardroomCommandTree, words: Mapping[str, Translations]
) -> list[announced_commands.Payload]:
    """The commands in every language, which take a fifth of a start and are the same at nearly every one."""
    known = _fingerprints.get(tree) or _fingerprint(tree, to_people=False)  # a start has just worked it out
    key = known, announced_commands.MOST_CHARACTERS, *words.items()
    if key not in _made:
        _made[key] = await _payloads(tree, words)
    return _made[key]


announced_commands.fingerprint = _fingerprint_remembered  # type: ignore[assignment]  # they take the tree of any client
announced_commands.payloads = _payloads_made_once  # type: ignore[assignment]  # as above


class Cardroom:
    """A running bot, with its insides for a test to look at."""

    def __init__(
        self,
        client: CardroomClient,
        store: SqliteStore,
        scheduler: MovableScheduler,
        ownership: Ownership,
    ) -> None:
        assert isinstance(client.telemetry, Metrics)
        self.client = client
        self.app = Insides(client)
        self.ownership = ownership
        self.store = store
        self.metrics = client.telemetry
        self._scheduler = scheduler
        self._presses = count(1)

    @property
    def figures(self) -> dict[str, float]:
        """What the bot has counted so far, by name and labels."""
        return read(self.metrics.text(self.live_matches()).decode())

    def live_matches(self) -> int:
        """How many matches are being played."""
        return len(self.app.matches)

    def press(self, match: LiveMatch, interaction_id: int) -> AbstractContextManager[MatchPress]:
        """A press on a match that no client sends."""
        return self.app.presses.take_up(match.id, interaction_id)

    async def settle(self) -> None:
        """Wait until of every invitation it is written down where it stands: only then others find it."""

        async def placed() -> bool:
            return all(each.message_id is not None for each in self.app.invitations.open())

        await eventually(placed)

    async def clear(self) -> None:
        """End every match and take back every invitation, so that the next act of a journey finds the table bare."""
        await self.settle()
        for invitation in self.app.invitations.open():
            await self.app.invitations.withdraw(invitation)
        for match in self.app.matches.live():
            for seat in range(len(match.seats)):
                if not match.over:
                    with self.press(match, next(self._presses)) as press:
                        await press.act(match, seat, Resign())
                        press.answered()

    async def clocks_run(self) -> bool:
        """Whether the clocks go; at a start they do once a session has begun."""
        return not self.app.clock.paused

    async def everything_runs(self) -> bool:
        """Whether the clocks go and every match was restored."""
        return not self.app.clock.paused and self.app.startup.is_restored

    async def edits_rest(self) -> bool:
        """Whether no edit waits and none is under way."""
        return self.app.updates.edit_queue.idle

    async def is_quiet(self) -> bool:
        """Whether no screen has to be brought up to date."""
        updates = self.app.updates
        return updates.edit_queue.idle and updates.board_updater.idle and updates.postings.idle

    def pass_time(self, seconds: float, *, ring: bool = True, shown: bool = True) -> None:
        """Let the bot's time pass at once, and nobody else's: Discord's tokens, answers and connections grow no older.

        What is due meanwhile rings in its order, each at its own moment, unless told otherwise. Questions are taken as
        `shown` by now, though their boards may still be on the way.
        """
        for match in self.app.matches.live():
            if shown:
                self.app.clock.mark_shown(match, match.window_number)
        if ring:
            self._scheduler.advance(seconds)
        else:
            self._scheduler.jump(seconds)

    def now(self) -> int:
        """The time of day that the bot goes by, in ms UTC."""
        return self._scheduler.now()


@asynccontextmanager
async def cardroom(sandbox: Sandbox, folder: Path, *, ahead: float = 0, **settings: str) -> AsyncIterator[Cardroom]:
    """The bot, ready to play until the block ends, with all unfinished matches restored.

    `settings` are keys of the environment; `ahead` is how far its clock is ahead of the machine's, in seconds.
    Computer players play by rule of thumb, and short reviews are worked out in the event loop, unless the settings name
    a number of workers.
    """
    async with just_started(sandbox, folder, ahead=ahead, **settings) as room:
        await eventually(room.everything_runs)
        yield room


@asynccontextmanager
async def just_started(sandbox: Sandbox, folder: Path, *, ahead: float = 0, **settings: str) -> AsyncIterator[Cardroom]:
    """The bot as soon as its clocks run: it may not have restored all matches yet."""
    scheduler = MovableScheduler(ahead)
    metrics = Metrics()
    new_database.lay_out(folder / "cardroom.db")
    store = await SqliteStore.open(folder / "cardroom.db", now=scheduler.now, telemetry=metrics)
    own = {"CARDROOM_DATA_DIR": str(folder), **settings}
    async with _running(sandbox, store, scheduler, metrics, own) as room:
        yield room


@asynccontextmanager
async def one_of_several(sandbox: Sandbox, folder: Path, server: SqliteStore, shards: str) -> AsyncIterator[Cardroom]:
    """One of several processes on the database in a folder, which `server` has opened for all of them. It serves some
    shards, once no other process does, and is ready to play, with all unfinished matches restored."""
    scheduler = MovableScheduler()
    store = another_process(server, folder / "cardroom.db", scheduler.now)
    settings = {"CARDROOM_DATA_DIR": str(folder), "CARDROOM_SHARDS": shards}
    async with _running(sandbox, store, scheduler, Metrics(), settings) as room:
        await eventually(room.everything_runs)
        yield room


@asynccontextmanager
async def _running(
    sandbox: Sandbox,
    store: SqliteStore,
    scheduler: MovableScheduler,
    metrics: Metrics,
    settings: Mapping[str, str],
) -> AsyncIterator[Cardroom]:
    environ = {
        "DISCORD_API_BASE": sandbox.api_base,
        "CARDROOM_PRESSES_PER_SECOND": FAST,
        "CARDROOM_POSTS_PER_MINUTE": FAST,
        "CARDROOM_CARD_EMOJIS": "off",
        **settings,
    }
    thinker = WorkerPool(int(settings[WORKERS]), metrics) if WORKERS in settings else None
    reviewer = Reviewer(metrics) if WORKERS in settings else QuickReviewer()
    try:
        loaded = load_settings(None, environ)
        ownership = Ownership(store, loaded.shard_ranges, scheduler)
        await ownership.claim()
        client, _ = build(
            loaded,
            store,
            scheduler,
            metrics,
            thinker=thinker,
            reviewer=reviewer,
            ownership=ownership,
        )
        keeping = asyncio.create_task(ownership.keep())
        try:
            async with connected(client, sandbox):
                room = Cardroom(client, store, scheduler, ownership)
                await eventually(room.clocks_run)
                yield room
        finally:
            keeping.cancel()
    finally:
        await store.close()


async def eventually(check: Callable[[], Awaitable[object]]) -> None:
    """Return once `check()` gives something true; asked every 10 ms. Raises AssertionError after half a minute."""
    for _ in range(TRIES):
        if await check():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("what was waited for did not come")


def to_noon(room: Cardroom) -> None:
    """Let it be noon: no day must end in the middle of a test."""
    room.pass_time((ends_at(day_of(room.now())) - room.now()) / 1000 + 12 * 3600)
