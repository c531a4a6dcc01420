"""Keeps the bot alive: starts it, kills it, tells it to end, starts the next one, as the weather says."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import Any, Final

from tests.simulation.keeper import Keeper
from tests.simulation.kernel import Kernel, SimulatedLoop
from tests.simulation.life import BotLife
from tests.simulation.weather_fields import Weather

EARLY: Final = 0.2
"""How many starts are told to end, or are killed, before they are done, where processes are told to or killed."""
WITHIN_A_CALL: Final = 0.5
"""How many kills come within one of SQLite's calls, where these are seen."""


class Incarnations(Keeper):
    """One bot after the other on one token, each with the folder that the last one left."""

    def __init__(self, kernel: Kernel, weather: Weather, folder: Path, **venues: Any) -> None:
        """`venues` are those of `Keeper`."""
        super().__init__(kernel, weather, **venues)
        self._current: BotLife | None = None
        self._folder = folder
        self._spells = kernel.chance("slow spells")
        self._images = count(1)
        self._at = folder / "life-0"

    @property
    def current(self) -> BotLife | None:
        """The bot that plays; None between two lives."""
        return self._current

    def begin(self) -> None:
        """Start the next life, on what the last one left."""
        if self.ending or self._current is not None:
            return
        life = self._current = self._start(self._at)
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
        life = self._current
        if life is None or life.ended:
            return
        if self._disk.sees_calls and self._chance.random() < WITHIN_A_CALL:
            life.kill_within_a_call(self._some_steps(), power_cut=power_cut)
        else:
            life.loop.after_steps(self._some_steps(), lambda: life.kill(power_cut=power_cut))

    def second_bot(self, seconds: float) -> None:
        """Let another process with the same token run for a while, on a folder of its own; or try to, on the same."""
        own = self._current_has_ended or self._chance.random() < 0.5
        life = self._start(self._folder / f"second-{next(self._images)}" if own else self._at)
        self._sandbox_loop.call_at_moment(self._kernel.now + seconds, life.kill)

    @property
    def _current_has_ended(self) -> bool:
        return self._current is None or self._current.ended

    @property
    def _sandbox_loop(self) -> SimulatedLoop:
        return self._kernel.loops[0]

    def _early_step(self) -> int:
        """One of the steps of a start, the first ones as likely as the many that follow."""
        return int(10 ** self._chance.uniform(0.0, 3.3))

    def _start(self, folder: Path) -> BotLife:
        folder.mkdir(parents=True, exist_ok=True)
        life = self._new_life(folder, self.image, self._over)
        if self._weather.step_cost:
            life.loop.step_cost = self._step_cost
        life.start()
        return life

    def _over(self, life: BotLife) -> None:
        if life is not self._current:
            if life.folder == self._at:  # it had the lock, since the other one had just died
                self._at = life.left
            else:
                self._disk.remove(life.folder)
                self._disk.remove(life.left)
            return
        self._current = None
        if life.left != life.folder:
            self._disk.remove(life.folder)
        self._at = life.left
        self._sandbox_loop.call_at_moment(self._kernel.now + self._pause(), self.begin)

    def _step_cost(self) -> float:
        return self._weather.step_cost * (100.0 if self._spells.random() < 0.001 else 1.0)
