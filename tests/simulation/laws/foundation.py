"""What laws share: their history, how long the bot has been able to play, and how bad the weather is."""

from __future__ import annotations

from collections.abc import Iterable

from tests.simulation.happenings import Bot, Disturbance, Happening, Life, Simulation, Violation
from tests.simulation.history import History
from tests.simulation.weather_fields import Weather


class BaseLaw:
    """A law that holds nothing yet. `why` is its reason, in one line."""

    name: str
    why: str
    every: float = 0.0

    def __init__(self, history: History) -> None:
        self.history = history
        self.simulation: Simulation

    def begin(self, simulation: Simulation) -> None:
        """The run is about to begin."""
        self.simulation = simulation
        simulation.record.listen(self.hear)

    def hear(self, happening: Happening) -> None:
        """Something happened."""

    def look(self) -> Iterable[Violation]:
        """Look at the bot and at Discord."""
        return ()

    def end(self) -> Iterable[Violation]:
        """The run is over."""
        return ()

    def violation(self, what: str) -> Violation:
        """The law is broken now."""
        return Violation(self.name, self.simulation.now, what)


class Attendance:
    """Since when one bot has been connected without a break, as far as looks at it can tell."""

    def __init__(self) -> None:
        self.bot: Bot | None = None
        self.since = 0.0

    def look(self, simulation: Simulation) -> Bot | None:
        """The bot that people can play with now; None if there is none, or more than one."""
        bots = simulation.bots
        there = bots[0] if len(bots) == 1 and bots[0].ready and bots[0].connected else None
        if there is None or self.bot is None or there.number != self.bot.number:
            self.since = simulation.now
        self.bot = there
        return there


class Troubles:
    """The disturbances and the lives so far."""

    def __init__(self) -> None:
        self.all: list[Disturbance] = []
        self.lives: list[Life] = []

    def hear(self, happening: Happening) -> None:
        """Take in what has happened."""
        if isinstance(happening, Disturbance):
            self.all.append(happening)
        elif isinstance(happening, Life):
            self.lives.append(happening)

    def between(self, begin: float, end: float, *kinds: str) -> list[Disturbance]:
        """The disturbances of these kinds (of any, without kinds) that reach into a time."""
        return [
            each
            for each in self.all
            if each.at <= end and max(each.at, each.until) >= begin and (not kinds or each.kind in kinds)
        ]

    def last(self, *kinds: str) -> float:
        """When the last disturbance of these kinds was over; minus infinity if there was none."""
        return max((max(each.at, each.until) for each in self.all if each.kind in kinds), default=float("-inf"))


def requests_fail(weather: Weather) -> bool:
    """Whether requests to Discord may fail, so that the bot sends them again after some time."""
    return any(
        (
            weather.cuts,
            weather.silences,
            weather.one_way_losses,
            weather.connection_refusals,
            weather.outages,
            weather.rate_limits,
            weather.rate429,
            weather.rate5xx,
            weather.lost_answers,
            weather.server_outages,
            weather.guild_leaves,
            weather.hidden_channels,
            weather.deleted_channels,
            weather.second_bots,
        )
    )


def slowest_way(weather: Weather) -> float:
    """Seconds that a piece of data may take from the bot to Discord."""
    return weather.latency * (weather.tail_factor if weather.tail else 1.0)


def slowness(weather: Weather) -> float:
    """Seconds that something may take beyond what the bot plans, through a slow network, disk or machine."""
    standing = weather.standstill_seconds if weather.standstills else 0.0
    return 6 * slowest_way(weather) + 10 * weather.disk_latency + standing + weather.step_cost * 100_000
