"""Discord in the simulation: the sandbox's own backend behind the real aiohttp, without a socket.

It can also answer with 429 and 5xx, lose its answers, and let events come late or twice, as the weather says.
"""

from __future__ import annotations

from typing import Any, Final

from aiohttp import web

from discord_sandbox import EventFault, FaultsOnDemand, JsonObject, RequestFault, Sandbox
from tests.simulation.kernel import Kernel, SimulatedLoop
from tests.simulation.network import Network
from tests.simulation.weather_fields import Weather

CHANNELS: Final = 3
"""Channels in a server, which its tables share."""
SEATS: Final = 6
"""People at a table, at most."""
CHANNEL: Final = "channel-"
"""How the names of these channels begin."""
PORT: Final = 8787

_EDGE: Final = (500, 502, 503, 504)
_LATEST: Final = 4.0
"""Seconds that an event comes late, at most."""
_WAIT_AFTER_429: Final = (0.3, 5.0)


def plan(weather: Weather) -> JsonObject:
    """Servers whose people are their own: those at each table, and one who looks on."""
    people: list[str] = []
    servers = []
    for server in range(weather.servers):
        members = people_of(server, weather)
        people += members
        if server == 0 and weather.hostiles:
            members = [*members, *hostile_names(weather), *HONEST]
            people += [*hostile_names(weather), *HONEST]
        if weather.cups:
            members = [*members, *cup_names(server, weather)]
            people += cup_names(server, weather)
        channels = [{"name": channel_name(server, number)} for number in range(CHANNELS)]
        owner = cup_names(server, weather)[0] if weather.cups else members[0]
        servers.append({"name": server_name(server), "members": members, "channels": channels, "owner": owner})
    return {"people": [{"name": name} for name in people], "servers": servers}


HONEST: Final = ("Honest Ann", "Honest Ben", "Honest Host", "Honest Reader")
"""People beside hostile ones: two who play, one who opens tables, and one who wants to hear of them."""


HOSTILE: Final = "Hostile"
"""How the names of the hostile accounts begin."""


def hostile_names(weather: Weather) -> list[str]:
    """The names of the hostile accounts."""
    return [f"{HOSTILE} {number}" for number in range(weather.hostiles)]


def cup_names(server: int, weather: Weather) -> list[str]:
    """The names of the people of a server who play tournaments. The first opens them, and owns the server."""
    return [f"Host {server}", *(f"C{server}-{number}" for number in range(weather.cups))]


def people_of(server: int, weather: Weather) -> list[str]:
    """The names of all people of a server."""
    seated = [seat_name(server, table, seat) for table in range(weather.tables) for seat in range(SEATS)]
    return [*seated, onlooker_name(server)]


def server_name(server: int) -> str:
    """The name of a server by its number, from 0 on; the others likewise."""
    return f"Server {server}"


def channel_name(server: int, number: int) -> str:
    """The name of a channel."""
    return f"{CHANNEL}{server}-{number}"


def seat_name(server: int, table: int, seat: int) -> str:
    """The name of somebody at a table."""
    return f"P{server}-{table}-{seat}"


def onlooker_name(server: int) -> str:
    """The name of somebody who plays at no table."""
    return f"Onlooker {server}"


class DiscordProcess:
    """The process that is Discord; its people live in it too."""

    def __init__(self, kernel: Kernel, network: Network, weather: Weather, its_plan: JsonObject | None = None) -> None:
        self.kernel = kernel
        self._plan = its_plan or plan(weather)
        self.loop: SimulatedLoop = kernel.loop("discord")
        self._network = network
        self._weather = weather
        self._sandbox: Sandbox | None = None

    @property
    def sandbox(self) -> Sandbox:
        """Discord; raises RuntimeError before it is open."""
        if self._sandbox is None:
            raise RuntimeError("Discord has not opened yet")
        return self._sandbox

    async def open(self) -> None:
        """Make it, and answer connections from now on. To be awaited in its own loop, which tells its time."""
        sandbox = self._sandbox = Sandbox(self._plan, control=False, transcript_entries=0)
        faults = ChanceFaults(self.kernel, self._weather)
        sandbox.faults = faults
        sandbox.rate_limits.enforced = self._weather.rate_limits
        sandbox.host, sandbox.port = "127.0.0.1", PORT
        runner = web.AppRunner(sandbox.application(), access_log=None, handle_signals=False)
        await runner.setup()
        server: Any = runner.server
        self._network.listen(self.loop, server)


class ChanceFaults(FaultsOnDemand):
    """Faults that strike by chance, in the shares that the weather says."""

    def __init__(self, kernel: Kernel, weather: Weather) -> None:
        super().__init__()
        self._weather = weather
        self._requests = kernel.chance("faults of requests")
        self._events = kernel.chance("faults of events")
        self.struck = 0

    @property
    def watch_requests(self) -> bool:
        weather = self._weather
        return bool(weather.rate429 or weather.rate5xx or weather.lost_answers) or super().watch_requests

    @property
    def watch_events(self) -> bool:
        return bool(self._weather.event_delays or self._weather.event_repeats) or super().watch_events

    def strike(self, method: str, path: str) -> RequestFault | None:
        """A fault of its own for each request that is struck."""
        found = super().strike(method, path)
        if found is not None:
            return found
        weather, chance = self._weather, self._requests
        drawn = chance.random()
        if drawn < weather.rate429:
            return self._fault(method, path, status=429, retry_after=round(chance.uniform(*_WAIT_AFTER_429), 3))
        drawn -= weather.rate429
        if drawn < weather.rate5xx:
            return self._fault(method, path, status=chance.choice(_EDGE), effect=chance.random() < 0.5)
        drawn -= weather.rate5xx
        if drawn < weather.lost_answers:
            return self._fault(method, path, drop="after" if chance.random() < 0.5 else "before")
        return None

    def strike_event(self, name: str) -> EventFault | None:
        """The same for events."""
        found = super().strike_event(name)
        if found is not None:
            return found
        weather, chance = self._weather, self._events
        drawn = chance.random()
        self.struck += 1
        if drawn < weather.event_delays:
            return EventFault(self.struck, name, delay=chance.uniform(0.1, _LATEST), reorder=chance.random() < 0.5)
        if drawn - weather.event_delays < weather.event_repeats:
            return EventFault(self.struck, name, twice=True)
        return None

    def _fault(self, method: str, path: str, **what: Any) -> RequestFault:
        self.struck += 1
        return RequestFault(self.struck, method=method, path=path, **what)
