"""What keeps the bot alive: starts its processes, kills them, tells them to end, as the weather says."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Final

from discord_sandbox import Sandbox
from tests.simulation.disk import Disk
from tests.simulation.happenings import Record
from tests.simulation.kernel import Kernel
from tests.simulation.life import BotLife, Lives
from tests.simulation.network import Network
from tests.simulation.weather_fields import Weather

SETTINGS: Final = {"CARDROOM_PRESSES_PER_SECOND": "1000"}
"""The bot's, where they differ from what they are as they come: people in a simulation press fast."""


class Keeper(ABC):
    """One bot after the other (`incarnations`), or several at once (`processes`)."""

    def __init__(
        self,
        kernel: Kernel,
        weather: Weather,
        *,
        network: Network,
        disk: Disk,
        record: Record,
        sandbox: Sandbox,
        lives: Lives,
    ) -> None:
        self.ending = False
        """Once this is set, no further process starts."""
        self.skew = weather.clock_skew
        """Seconds that the bot's machines are ahead."""
        self._kernel = kernel
        self._weather = weather
        self._network = network
        self._disk = disk
        self._record = record
        self._sandbox = sandbox
        self._lives = lives
        self._chance = kernel.chance(type(self).__name__.lower())
        self._numbers = count(1)

    @abstractmethod
    def begin(self) -> None:
        """Start what shall live."""

    @property
    @abstractmethod
    def current(self) -> BotLife | None:
        """The bot that plays, or one of them by chance; None while none does."""

    @property
    @abstractmethod
    def folder_left(self) -> Path:
        """The folder with the database of the bot that lives, or that lived last."""

    @abstractmethod
    def kill(self, *, power_cut: bool = False) -> None:
        """Kill the bot at any of its next steps; another starts after a pause."""

    @abstractmethod
    def second_bot(self, seconds: float) -> None:
        """Let another process with the same token run for so long, where there is only one."""

    def tell(self) -> None:
        """Tell the bot to end; another starts after a pause."""
        life = self.current
        if life is not None and not life.ended:
            life.loop.after_steps(self._some_steps(), life.tell)

    def set_clock(self, skew: float) -> None:
        """Set the time of day of the bot's machine, and of those that start later."""
        self.skew = skew
        life = self.current
        if life is not None:
            life.loop.skew = skew

    def _some_steps(self) -> int:
        return int(self._chance.paretovariate(0.7))

    def _pause(self) -> float:
        """Seconds until the next process starts."""
        return self._chance.uniform(0.1, self._weather.restart_pause)

    def _new_life(
        self, folder: Path, new_image: Callable[[], Path], when_over: Callable[[BotLife], None], **settings: str
    ) -> BotLife:
        """A process that has not started yet. What the arguments are, `BotLife` says."""
        life = BotLife(
            next(self._numbers),
            folder,
            kernel=self._kernel,
            network=self._network,
            disk=self._disk,
            record=self._record,
            token=self._sandbox.token,
            api_base=self._sandbox.api_base,
            new_image=new_image,
            skew=self.skew,
            **{**SETTINGS, **settings},
        )
        life.when_over = when_over
        self._lives.add(life)
        return life
