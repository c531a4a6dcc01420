"""Keeps several processes of the bot alive, on one database, as the weather says."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import Final

from sandbox import Sandbox
from tests.simulation.database_server import DatabaseServer
from tests.simulation.disk import Disk
from tests.simulation.happenings import Record
from tests.simulation.incarnations import SETTINGS
from tests.simulation.kernel import Kernel
from tests.simulation.life import BotLife, Lives
from tests.simulation.network import Network
from tests.simulation.weather_fields import Weather

SHARDS: Final = "0,1/2"
"""Each process serves the half that is free."""


class Processes:
    """So many processes at once: when one has ended or was killed, another starts after a pause."""

    def __init__(
        self,
        kernel: Kernel,
        weather: Weather,
        server: DatabaseServer,
        *,
        network: Network,
        disk: Disk,
        record: Record,
        sandbox: Sandbox,
        lives: Lives,
    ) -> None:
        self.lives = lives
        self.ending = False
        """Once this is set, no further process starts."""
        self.skew = weather.clock_skew
        """Seconds that the bot's machines are ahead."""
        self._kernel = kernel
        self._weather = weather
        self._server = server
        self._network = network
        self._disk = disk
        self._record = record
        self._sandbox = sandbox
        self._chance = kernel.chance("processes")
        self._numbers = count(1)
        self._images = count(1)
        self._last_image: Path | None = None

    def begin(self) -> None:
        """Start all of them."""
        for _ in range(self._weather.processes):
            self._start()

    @property
    def current(self) -> BotLife | None:
        """One of those that live, by chance; one that plays if there is one."""
        alive = self.lives.alive
        playing = [life for life in alive if life.client is not None]
        return self._chance.choice(playing or alive) if alive else None

    @property
    def folder_left(self) -> Path:
        """The folder with the database."""
        return self._server.folder

    def kill(self, *, power_cut: bool = False) -> None:
        """Kill one at any of its next steps, whether it loses its power or not: it has nothing on its disk."""
        del power_cut
        life = self.current
        if life is not None:
            life.loop.after_steps(int(self._chance.paretovariate(0.7)), life.kill)

    def tell(self) -> None:
        """Tell one to end."""
        life = self.current
        if life is not None:
            life.loop.after_steps(int(self._chance.paretovariate(0.7)), life.tell)

    def second_bot(self, seconds: float) -> None:
        """There are several anyway."""

    def cut_off(self, seconds: float) -> None:
        """Keep one from the database for so long."""
        life = self.current
        if life is not None and life.line is not None:
            life.line.cut_until = self._kernel.now + seconds

    def set_clock(self, skew: float) -> None:
        """Set the time of day of one of the machines; those that start later have it too."""
        self.skew = skew
        life = self.current
        if life is not None:
            life.loop.skew = skew

    def _start(self) -> None:
        if self.ending:
            return
        life = BotLife(
            next(self._numbers),
            self._server.folder,
            kernel=self._kernel,
            network=self._network,
            disk=self._disk,
            record=self._record,
            token=self._sandbox.token,
            api_base=self._sandbox.api_base,
            new_image=self._new_image,
            skew=self.skew,
            **{**SETTINGS, "CARDROOM_SHARDS": SHARDS, "CARDROOM_BACKUP_HOURS": "0"},
        )
        life.when_over = self._over
        self.lives.add(life)
        life.start()

    def _new_image(self) -> Path:
        """A folder for a copy of the database, in place of the former one."""
        if self._last_image is not None:
            self._disk.remove(self._last_image)
        self._last_image = self._server.folder.with_name(f"image-{next(self._images)}")
        return self._last_image

    def _over(self, _life: BotLife) -> None:
        pause = self._chance.uniform(0.1, self._weather.restart_pause)
        self._server.loop.call_at_moment(self._kernel.now + pause, self._start)
