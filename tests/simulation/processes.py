"""Keeps several processes of the bot alive, on one database, as the weather says."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import Any, Final

from tests.simulation.database_server import DatabaseServer
from tests.simulation.keeper import Keeper
from tests.simulation.kernel import Kernel
from tests.simulation.life import BotLife
from tests.simulation.weather_fields import Weather

SHARDS: Final = "0,1/2"
"""Each process serves the half that is free."""


class Processes(Keeper):
    """So many processes at once: when one has ended or was killed, another starts after a pause."""

    def __init__(self, kernel: Kernel, weather: Weather, server: DatabaseServer, **venues: Any) -> None:
        """`venues` are those of `Keeper`."""
        super().__init__(kernel, weather, **venues)
        self._server = server
        self._images = count(1)
        self._last_image: Path | None = None

    def begin(self) -> None:
        """Start all of them."""
        for _ in range(self._weather.processes):
            self._start()

    @property
    def current(self) -> BotLife | None:
        """One of those that live, by chance; one that plays if there is one."""
        alive = self._lives.alive
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
            life.loop.after_steps(self._some_steps(), life.kill)

    def second_bot(self, seconds: float) -> None:
        """There are several anyway."""

    def _start(self) -> None:
        if not self.ending:
            settings = {"CARDROOM_SHARDS": SHARDS, "CARDROOM_BACKUP_HOURS": "0"}
            self._new_life(self._server.folder, self._new_image, self._over, **settings).start()

    def _new_image(self) -> Path:
        """A folder for a copy of the database, in place of the former one."""
        if self._last_image is not None:
            self._disk.remove(self._last_image)
        self._last_image = self._server.folder.with_name(f"image-{next(self._images)}")
        return self._last_image

    def _over(self, _life: BotLife) -> None:
        self._server.loop.call_at_moment(self._kernel.now + self._pause(), self._start)
