"""One simulation from its seed to its result."""

from __future__ import annotations

import gc
import logging
import tempfile
from collections import Counter
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Final

from bot.logs import LineFormatter
from discord_sandbox import JsonObject, Sandbox
from tests.simulation import patches
from tests.simulation.crowd import Crowd
from tests.simulation.database_server import DatabaseServer
from tests.simulation.disk import Disk, copy_image
from tests.simulation.disturbances import Disturbances
from tests.simulation.happenings import DiskImage, Happening, Law, LogLine, Record, Violation
from tests.simulation.hostile import Society
from tests.simulation.incarnations import Incarnations
from tests.simulation.keeper import Keeper
from tests.simulation.kernel import Kernel
from tests.simulation.life import BotLife, Lives
from tests.simulation.network import Network
from tests.simulation.processes import Processes
from tests.simulation.recorder import Recorder
from tests.simulation.tournaments import Tournaments, tournaments_of
from tests.simulation.weather_fields import Weather
from tests.simulation.world import DiscordProcess

HOUR: Final = 3600.0
MEMORY: Final = Path("/dev/shm")
"""A file system in memory, where there is one: the files of a simulation outlive no machine."""
_COLLECT_EVERY: Final = 400_000
"""Steps between two collections of garbage: the collector runs at no other moment, so that it runs at the same ones."""
_SLICE: Final = 60.0
"""Virtual seconds between two looks at what is left to do."""


_AT_REST: Final = 15.0
"""Seconds without any happening, after which laws that look every few seconds look more seldom: what they look at does
not change, and to render every screen again takes most of the time of a slow run."""
_OFTEN: Final = (3.0, 5.0)
"""How often these look, in seconds. Who looks more often measures times."""
_TIMES_AT_REST: Final = 7


@dataclass
class Result:
    """What came of a simulation."""

    seed: int
    hours: float
    """Virtual hours that passed: less than were asked for where a law did not hold."""
    steps: int
    seconds: float
    """Real seconds that it took."""
    trace_hash: str
    violations: list[Violation] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    """How often what happened."""


class Run:
    """A simulation while it runs; it is what laws look at (`happenings.Simulation`)."""

    def __init__(
        self,
        seed: int,
        weather: Weather,
        laws: Sequence[Law],
        folder: Path,
        trace: IO[str] | None = None,
        *,
        plan: JsonObject | None = None,
    ) -> None:
        """`plan` is a Discord of other servers and people than the weather's."""
        self.kernel = Kernel(seed, trace)
        self.record = Record(keep=False)
        self.counts: Counter[str] = Counter()
        self.violations: list[Violation] = []
        self._weather = weather
        self._laws = laws
        self._folder = folder
        self._network = Network(self.kernel, weather)
        self._disk = Disk(self.kernel, weather)
        self._lives = Lives(self.kernel)
        self._discord = DiscordProcess(self.kernel, self._network, weather, plan)
        self._recorder = Recorder(self.kernel, self.record)
        self._crowd: Crowd | None = None
        self._bots: Keeper | None = None
        self._server: DatabaseServer | None = None
        self._kept: list[object] = []
        self._happened_at = 0.0
        self.record.listen(self._hear)

    @property
    def now(self) -> float:
        """Virtual seconds since the beginning."""
        return self.kernel.now

    @property
    def weather(self) -> Weather:
        """Its weather."""
        return self._weather

    @property
    def sandbox(self) -> Sandbox:
        """Discord."""
        return self._discord.sandbox

    @property
    def bots(self) -> Sequence[BotLife]:
        """The incarnations that live."""
        return self._lives.alive

    @property
    def number_of_life(self) -> int:
        """The number of the incarnation whose step is being taken; 0 for none."""
        return self._lives.number

    def _hear(self, happening: Happening) -> None:
        self.counts[type(happening).__name__] += 1
        self._happened_at = self.kernel.now

    def run(self, until: float, most_steps: int | None = None) -> None:
        """Run to this moment (virtual seconds), until about so many steps were taken, or until a law does not hold."""
        with patches.applied(self.kernel) as patched, self._disk.put_under(patched), _Logging(self):
            self._lives.listen(patched, self._weather)
            self.begin(patched)
            looks = [(law, law.every) for law in self._laws if law.every > 0]
            collect_at = _COLLECT_EVERY
            while self.now < until and not self.violations and (most_steps is None or self.kernel.steps < most_steps):
                self.kernel.run(min([until, self.now + _SLICE, *(due for _, due in looks)]))
                looks = [self._looked(law, due) for law, due in looks]
                if self.kernel.steps >= collect_at:
                    gc.collect()
                    collect_at = self.kernel.steps + _COLLECT_EVERY
            self._end()

    def _looked(self, law: Law, due: float) -> tuple[Law, float]:
        if self.now < due:
            return law, due
        self.violations += law.look()
        at_rest = law.every in _OFTEN and self.now - self._happened_at > _AT_REST
        return law, self.now + law.every * (_TIMES_AT_REST if at_rest else 1)

    def begin(self, patched: patches.Patches) -> None:
        """Open Discord, and let people and the bot come."""
        self._in_discord(self._discord.open())
        if self._weather.processes > 1:
            self._server = DatabaseServer(self.kernel, self._folder / "database", self.record)
            self._lives.share(patched, self._server)
            self.kernel.run(self.now + 1.0)  # until it has opened the database
        self._recorder.listen(self.sandbox)
        for law in self._laws:
            law.begin(self)
        self._in_discord(self._people_come())

    def _make_bots(self) -> Keeper:
        venues: dict[str, Any] = {
            "network": self._network,
            "disk": self._disk,
            "record": self.record,
            "sandbox": self.sandbox,
            "lives": self._lives,
        }
        if self._server is None:
            return Incarnations(self.kernel, self._weather, self._folder, **venues)
        return Processes(self.kernel, self._weather, self._server, **venues)

    async def _people_come(self) -> None:
        bots = self._bots = self._make_bots()
        bots.begin()
        disturbances = Disturbances(
            self.kernel,
            self._weather,
            sandbox=self.sandbox,
            network=self._network,
            disk=self._disk,
            bots=bots,
            record=self.record,
        )
        disturbances.begin()
        self._crowd = Crowd(self.kernel, self.sandbox, self._weather)
        society = Society(self.kernel, self.sandbox, self._weather, self.record)
        tournaments = Tournaments(self.kernel, self.sandbox, self._weather)
        self._kept += [disturbances, *self._crowd.come(), *society.come(), *tournaments.come()]

    def _in_discord(self, work: Coroutine[None, None, None]) -> None:
        """Do something in Discord's process, to its end."""
        task = self._discord.loop.create_task(work)
        while not task.done():
            self.kernel.run(self.now + 0.001)
        task.result()

    def _end(self) -> None:
        """Copy the last image, and let the laws judge it."""
        bots = self._bots
        if bots is None:
            return
        bots.ending = True
        at = bots.folder_left
        image = self._folder / "end"
        copy_image(at, image)
        self.record.add(DiskImage(0, self.now, image, "end"))
        if not self.violations:
            for law in self._laws:
                self.violations += law.end()
        if self._crowd is not None:
            self.counts["matches"] = self._crowd.matches
            self.counts["replies"] = self._crowd.replies
            self.counts["replies that failed"] = self._crowd.failed
        if self._weather.cups and not self._weather.lying_syncs:
            wholes = tournaments_of(image)
            self.counts["tournament matches"] = sum(len(each.legs) for whole in wholes for each in whole.pairings)


class _Logging(logging.Handler):
    """Records what the bot logs, for as long as a block."""

    def __init__(self, run: Run) -> None:
        super().__init__(logging.INFO)
        self._run = run
        self._before: tuple[list[logging.Handler], int] = ([], logging.WARNING)
        self.setFormatter(LineFormatter())

    def __enter__(self) -> None:
        root = logging.getLogger()
        self._before = list(root.handlers), root.level
        root.handlers[:] = [self]
        root.setLevel(logging.INFO)

    def __exit__(self, *_: object) -> None:
        root = logging.getLogger()
        root.handlers[:], level = self._before
        root.setLevel(level)

    def emit(self, record: logging.LogRecord) -> None:
        run = self._run
        run.record.add(LogLine(run.number_of_life, run.now, record.levelno, record.name, self.format(record)))


def simulate(
    seed: int,
    hours: float,
    weather: Weather,
    laws: Sequence[Law] = (),
    *,
    trace: IO[str] | None = None,
    most_steps: int | None = None,
) -> Result:
    """Run one simulation. To be called once in a process: what was killed must never be collected.

    It ends earlier where a law does not hold, or once about so many steps were taken.
    """
    gc.collect()
    gc.freeze()
    gc.disable()
    began = patches.REAL_SECONDS()
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None, prefix="cardroom-simulation-") as folder:
        run = Run(seed, weather, laws, Path(folder), trace)
        _KEPT.append(run)
        run.run(hours * HOUR, most_steps)
    return Result(
        seed,
        run.now / HOUR,
        run.kernel.steps,
        patches.REAL_SECONDS() - began,
        run.kernel.trace_hash,
        run.violations,
        run.counts,
    )


_KEPT: list[Run] = []
"""The dead are kept to the end of the process."""
