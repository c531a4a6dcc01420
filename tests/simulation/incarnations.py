"""Keeps the bot alive: starts it, kills it, tells it to end, starts the next one, as the weather says."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import Final

from sandbox import Sandbox
from tests.simulation.disk import Disk
from tests.simulation.happenings import Record
from tests.simulation.kernel import Kernel, SimulatedLoop
from tests.simulation.life import BotLife, Lives
from tests.simulation.network import Network
from tests.simulation.weather_fields import Weather

SETTINGS: Final = {"CARDROOM_PRESSES_PER_SECOND": "1000"}
"""The bot's, where they differ from what they are as they come: people in a simulation press fast."""
EARLY: Final = 0.2
"""How many starts are told to end, or are killed, before they are done, where processes are told to or killed."""
WITHIN_A_CALL: Final = 0.5
"""How many kills come within one of SQLite's calls, where these are seen."""


class Incarnations:
    """One bot after the other on one token, each with the folder that the last one left."""

    def __init__(
        self,
        kernel: Kernel,
        weather: Weather,
        folder: Path,
        *,
        network: Network,
        disk: Disk,
        record: Record,
        sandbox: Sandbox,
        lives: Lives,
    ) -> None:
        self.lives = lives
        self.current: BotLife | None = None
        """The bot that plays; None between two lives."""
        self.ending = False
        """Once this is set, no further life begins."""
        self.skew = weather.clock_skew
        """Seconds that the bot's machine is ahead."""
        self._kernel = kernel
        self._weather = weather
        self._folder = folder
        self._network = network
        self._disk = disk
        self._record = record
        self._sandbox = sandbox
        self._chance = kernel.chance("incarnations")
        self._spells = kernel.chance("slow spells")
        self._numbers = count(1)
        self._images = count(1)
        self._at = folder / "life-0"

    def begin(self) -> None:
        """Start the next life, on what the last one left."""
        if self.ending or self.current is not None:
            return
        life = self.current = self._start(self._at, self.skew)
        if self._weather.restarts and self._chance.random() < EARLY:
            life.loop.after_steps(self._early_step(), life.tell)
        elif self._weather.kills and self._chance.random() < EARLY:
            life.loop.after_steps(self._early_step(), life.kill)

    @property
    def folder_left(self) -> Path:
        """The folder of the bot that lives, or what the last one left."""
        return self._at

    def image(self) -> Path:
        """A folder that is not there yet, for what a process leaves."""
        return self._folder / f"image-{next(self._images)}"

    def kill(self, *, power_cut: bool = False) -> None:
        """Kill the bot at any of its next steps, and sometimes within one; the next one starts after a pause."""
        life = self.current
        if life is None or life.ended:
            return
        if self._disk.sees_calls and self._chance.random() < WITHIN_A_CALL:
            life.kill_within_a_call(self._some_steps(), power_cut=power_cut)
        else:
            life.loop.after_steps(self._some_steps(), lambda: life.kill(power_cut=power_cut))

    def tell(self) -> None:
        """Tell the bot to end; the next one starts after a pause."""
        life = self.current
        if life is not None and not life.ended:
            life.loop.after_steps(self._some_steps(), life.tell)

    def second_bot(self, seconds: float) -> None:
        """Let another process with the same token run for a while, on a folder of its own; or try to, on the same."""
        own = self._current_has_ended or self._chance.random() < 0.5
        life = self._start(self._folder / f"second-{next(self._images)}" if own else self._at, self.skew)
        self._sandbox_loop.call_at_moment(self._kernel.now + seconds, life.kill)

    def set_clock(self, skew: float) -> None:
        """Set the machine's time of day, for this life and those to come."""
        self.skew = skew
        if self.current is not None:
            self.current.loop.skew = skew

    @property
    def _current_has_ended(self) -> bool:
        return self.current is None or self.current.ended

    @property
    def _sandbox_loop(self) -> SimulatedLoop:
        return self._kernel.loops[0]

    def _some_steps(self) -> int:
        return int(self._chance.paretovariate(0.7))

    def _early_step(self) -> int:
        """One of the steps of a start, the first ones as likely as the many that follow."""
        return int(10 ** self._chance.uniform(0.0, 3.3))

    def _start(self, folder: Path, skew: float) -> BotLife:
        folder.mkdir(parents=True, exist_ok=True)
        life = BotLife(
            next(self._numbers),
            folder,
            kernel=self._kernel,
            network=self._network,
            disk=self._disk,
            record=self._record,
            token=self._sandbox.token,
            api_base=self._sandbox.api_base,
            new_image=self.image,
            skew=skew,
            **SETTINGS,
        )
        life.when_over = self._over
        if self._weather.step_cost:
            life.loop.step_cost = self._step_cost
        self.lives.add(life)
        life.start()
        return life

    def _over(self, life: BotLife) -> None:
        if life is not self.current:
            if life.folder == self._at:  # it had the lock, since the other one had just died
                self._at = life.left
            else:
                self._disk.remove(life.folder)
                self._disk.remove(life.left)
            return
        self.current = None
        if life.left != life.folder:
            self._disk.remove(life.folder)
        self._at = life.left
        pause = self._chance.uniform(0.1, self._weather.restart_pause)
        self._sandbox_loop.call_at_moment(self._kernel.now + pause, self.begin)

    def _step_cost(self) -> float:
        return self._weather.step_cost * (100.0 if self._spells.random() < 0.001 else 1.0)
