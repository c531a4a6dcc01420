"""One life of the bot: a process that starts as `bot.__main__` does, is told to end, stands still, or is killed."""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any, Final, Literal

import aiohttp
from discord.gateway import DiscordWebSocket
from discord.http import Route

import bot.__main__ as bot_main
from bot.cluster.ownership import Ownership
from bot.computers.thinker import RuleOfThumb
from bot.gateway import connectivity
from bot.gateway.client import CardroomClient
from bot.ops import databases, process
from bot.settings import EXIT_CONFIGURATION, ConfigurationError, Settings, load_settings
from bot.store.errors import StoreError
from tests.insides import Insides
from tests.quick_reviewer import InLoop
from tests.simulation.database_server import DatabaseServer, Line, RemoteStore
from tests.simulation.disk import Disk
from tests.simulation.happenings import Delivered, DiskImage, Life, Record, Step
from tests.simulation.kernel import Kernel, SimulatedLoop
from tests.simulation.network import Network
from tests.simulation.patches import Patches
from tests.simulation.weather_fields import Weather

ENDS_WITHIN: Final = process.ENDS_WITHIN
SELDOM: Final = 60.0
"""Seconds between two measurements of the loop's lag, where there is none."""

_log = logging.getLogger("simulation")


class BotLife:
    """One process of the bot, from its start to its end."""

    def __init__(
        self,
        number: int,
        folder: Path,
        *,
        kernel: Kernel,
        network: Network,
        disk: Disk,
        record: Record,
        token: str,
        api_base: str,
        new_image: Callable[[], Path],
        skew: float = 0.0,
        **settings: str,
    ) -> None:
        """`settings` are keys of the environment, `skew` the seconds that its time of day is ahead. `new_image` names a
        folder for what it leaves if it is killed."""
        self.number = number
        self.folder = folder
        self.loop: SimulatedLoop = kernel.loop(f"bot {number}")
        self.loop.dial = network.connect
        self.loop.skew = skew
        self.client: CardroomClient | None = None
        self._insides: Insides | None = None
        self.ready = False
        self.told_at: float | None = None
        self.ended = False
        """Whether it has ended or was killed."""
        self.left = folder
        """Where its files are after its end: in its folder, or, if it closed nothing, in a copy of it."""
        self.when_over: Callable[[BotLife], None] = lambda _: None
        self._kernel = kernel
        self._network = network
        self._disk = disk
        self._record = record
        self._token = token
        self._new_image = new_image
        self._environ = {
            "CARDROOM_DATA_DIR": str(folder),
            "DISCORD_API_BASE": api_base,
            "DISCORD_TOKEN": token,
            "CARDROOM_CARD_EMOJIS": "off",
            **settings,
        }
        self._main: asyncio.Task[int] | None = None
        self.ownership: Ownership | None = None
        self.line: Line | None = None
        """Its connection to the database server, if there is one."""

    # ------------------------------------------------------------------------------------ what laws look at

    @property
    def connected(self) -> bool:
        """Whether presses reach it, as far as it knows."""
        return self.client is not None and self.client.connected

    @property
    def app(self) -> Insides | None:
        """Its parts; None before they are made."""
        return self._insides

    @property
    def shards(self) -> Collection[int]:
        """The shards that it surely holds, as far as it knows."""
        ownership = self.ownership
        held = None if ownership is None or not ownership.is_current() else ownership.held
        return () if held is None else held.ids

    def wall(self) -> float:
        """Its machine's time of day, in seconds since 1970."""
        return self.loop.time_of_day()

    # ------------------------------------------------------------------------------------ what happens to it

    def start(self) -> None:
        """Begin its first step."""
        self._note("started")
        self._main = self.loop.create_task(self._run())
        self._main.add_done_callback(self._over)

    def tell(self) -> None:
        """Send it SIGTERM. Before it has a handler for that, it dies of it, as a process does."""
        if self.ended:
            return
        if self.told_at is None:
            self.told_at = self._kernel.now
            self._note("told")
        if not self.loop.send_signal(signal.SIGTERM):
            self.kill()

    def kill(self, *, power_cut: bool = False) -> None:
        """End it between two of its steps: nothing of it runs any more. What it leaves is copied."""
        if not self.ended:
            self._note("killed")
            self._drop("power cut" if power_cut else "kill")

    def kill_within_a_call(self, calls: int, *, power_cut: bool = False) -> None:
        """Kill it within one of SQLite's calls, after so many more of them: what it leaves is as it was then."""

        def take_image() -> None:
            self._leave(power_cut=power_cut)
            self.loop.after_steps(0, lambda: self.kill(power_cut=power_cut))

        self._disk.at_call(self.loop, calls, take_image)

    def end_at_once(self, code: int) -> None:
        """It ends itself without closing anything, with this exit code."""
        if not self.ended:
            self._note("ended", code)
            self._drop("end")

    def _drop(self, cause: Literal["kill", "power cut", "end"]) -> None:
        if self.left == self.folder:
            self._leave(power_cut=cause == "power cut")
        self._record.add(DiskImage(self.number, self._kernel.now, self.left, cause))
        self._gone()

    def _leave(self, *, power_cut: bool) -> None:
        self.left = self._new_image()
        self._disk.leave_behind(self.folder, self.left, power_cut=power_cut)

    def _gone(self) -> None:
        self.ended, self.ready = True, False
        self._kernel.kill(self.loop)
        self._network.drop(self.loop)
        self._disk.close(self.loop)
        self.when_over(self)

    # ------------------------------------------------------------------------------------ its own life

    async def _run(self) -> int:
        """What `bot.__main__.main` and `asyncio.run` do."""
        try:
            settings = load_settings(None, self._environ)
            connector = aiohttp.UnixConnector("discord", limit=0)
            last_moment: Any = _LastMoment(self)
            return await bot_main.run(settings, self._token, last_moment, connector=connector)
        except ConfigurationError as error:
            return tell_why(str(error), EXIT_CONFIGURATION)
        except StoreError as error:
            return tell_why(str(error), databases.exit_code(error))
        finally:
            left = asyncio.all_tasks() - {asyncio.current_task()}
            for task in left:
                task.cancel()
            await asyncio.gather(*left, return_exceptions=True)

    def _over(self, main: asyncio.Task[int]) -> None:
        if self.ended:
            return
        error = None if main.cancelled() else main.exception()
        if error is not None:
            _log.error("bot %d ended with %s", self.number, type(error).__name__, exc_info=error)
        self._note("ended", None if main.cancelled() or error is not None else main.result())
        self._gone()

    def built(self, client: CardroomClient, ownership: Ownership) -> None:
        """Its client is made; it is not connected yet."""
        self.client = client
        self._insides = Insides(client)
        self.ownership = ownership

    def reached(self, interaction_id: int) -> None:
        """An interaction has reached it."""
        self._record.add(Delivered(interaction_id, self._kernel.now, self.number))

    def is_ready(self) -> None:
        """It reports that it is ready."""
        self.ready = True
        self._note("ready")

    def _note(self, step: Step, code: int | None = None) -> None:
        self._kernel.note(0, f"life {self.number} {step}")
        self._record.add(Life(self.number, step, self._kernel.now, self.folder, code))


def tell_why(line: str, code: int) -> int:
    """Log why a process gives up, where the bot would write it to standard error; the exit code."""
    _log.info("exit code %d: %s", code, line)
    return code


class _LastMoment:
    """Stands for the thread that ends the process whatever still runs."""

    def __init__(self, life: BotLife) -> None:
        self._life = life
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """From now on the process has ten seconds."""
        self._timer = self._life.loop.call_later(ENDS_WITHIN, self._end)

    def cancel(self) -> None:
        """It has ended."""
        if self._timer is not None:
            self._timer.cancel()

    def _end(self) -> None:
        self._life.end_at_once(0)


class Lives:
    """The lives that there are, so that what a process reports reaches its own."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._by_loop: dict[SimulatedLoop, BotLife] = {}
        """The dead too: to collect them would run their `finally` blocks and destructors."""

    def add(self, life: BotLife) -> None:
        """There is a new one."""
        self._by_loop[life.loop] = life

    @property
    def alive(self) -> list[BotLife]:
        """Those that have not ended, the oldest first."""
        return [life for life in self._by_loop.values() if not life.ended]

    @property
    def number(self) -> int:
        """The number of the life whose step is being taken; 0 in Discord's process and between steps."""
        life = self._current()
        return 0 if life is None else life.number

    def _current(self) -> BotLife | None:
        return None if self._kernel.current is None else self._by_loop.get(self._kernel.current)

    def share(self, patches: Patches, server: DatabaseServer) -> None:
        """Have all processes use this database."""

        async def connect(_settings: Settings, *, now: Callable[[], int], **_: Any) -> RemoteStore:
            life = self._current()
            assert life is not None
            store = server.connect(life.loop, life.number, now)
            life.line = store.line
            return store

        patches.set(databases, "open_store", connect)

    def listen(self, patches: Patches, weather: Weather) -> None:
        """Hear what the processes make and report, and keep the garbage collector out of it.

        Where nothing can hold a process up, it need not look twice a second whether something has.
        """
        build = bot_main.build

        def build_and_tell(*args: Any, **options: Any) -> Any:
            client, registry = build(*args, **options)
            life = self._current()
            if life is not None:
                life.built(client, options["ownership"])
            return client, registry

        dispatch = CardroomClient.dispatch

        def record_and_dispatch(client: CardroomClient, event: str, /, *args: Any, **options: Any) -> None:
            life = self._current()
            if event == "interaction" and life is not None:
                life.reached(args[0].id)
            dispatch(client, event, *args, **options)

        def report_ready() -> None:
            life = self._current()
            if life is not None:
                life.is_ready()

        patches.set(bot_main, "build", build_and_tell)
        patches.set(bot_main, "Reviewer", lambda _telemetry: InLoop())
        patches.set(bot_main, "WorkerPool", lambda _workers, telemetry: RuleOfThumb(telemetry))
        patches.set(CardroomClient, "dispatch", record_and_dispatch)
        patches.set(bot_main, "_give_up", tell_why)
        patches.set(process, "report_ready", report_ready)
        patches.set(bot_main, "_tune_garbage_collector", lambda: None)
        if not weather.standstills and not weather.step_cost:
            patches.set(connectivity, "MEASURE_SECONDS", SELDOM)
        patches.set(Route, "BASE", Route.BASE)
        patches.set(DiscordWebSocket, "DEFAULT_GATEWAY", DiscordWebSocket.DEFAULT_GATEWAY)
