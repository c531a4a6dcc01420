"""What the weather does, at moments of chance: each kind of disturbance with a generator of its own."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import Final

from discord_sandbox import DrivenChannel, Permission, Sandbox
from tests.simulation import world
from tests.simulation.disk import Disk
from tests.simulation.happenings import Disturbance, Record
from tests.simulation.keeper import Keeper
from tests.simulation.kernel import Kernel
from tests.simulation.life import BotLife
from tests.simulation.network import Line, Network
from tests.simulation.weather_fields import Weather

HOUR: Final = 3600.0
SECOND_BOT_SECONDS: Final = 60.0


class Disturbances:
    """Runs the weather, as tasks of Discord's process, which nothing disturbs."""

    def __init__(
        self,
        kernel: Kernel,
        weather: Weather,
        *,
        sandbox: Sandbox,
        network: Network,
        disk: Disk,
        bots: Keeper,
        record: Record,
    ) -> None:
        self._kernel = kernel
        self._weather = weather
        self._sandbox = sandbox
        self._network = network
        self._disk = disk
        self._bots = bots
        self._record = record
        self._tasks: list[asyncio.Task[None]] = []

    def begin(self) -> None:
        """Let the weather begin."""
        weather = self._weather
        kinds: tuple[tuple[str, float, Callable[[random.Random], Awaitable[None]]], ...] = (
            ("cuts", weather.cuts, self._cut),
            ("silences", weather.silences, self._silence),
            ("one-way losses", weather.one_way_losses, self._lose_one_way),
            ("outages", weather.outages, self._outage),
            ("session losses", weather.session_losses, self._lose_session),
            ("reconnect requests", weather.reconnect_requests, self._ask_to_reconnect),
            ("server outages", weather.server_outages, self._server_outage),
            ("guild leaves", weather.guild_leaves, self._leave_guild),
            ("hidden channels", weather.hidden_channels, self._hide_channel),
            ("deleted channels", weather.deleted_channels, self._delete_channel),
            ("deleted boards", weather.deleted_boards, self._delete_board),
            ("kills", weather.kills, self._kill),
            ("power cuts", weather.power_cuts, self._cut_power),
            ("restarts", weather.restarts, self._restart),
            ("standstills", weather.standstills, self._stand_still),
            ("second bots", weather.second_bots, self._second_bot),
            ("clock steps", weather.clock_steps, self._step_clock),
            ("store spells", weather.store_spells, self._store_spell),
            ("database cuts", weather.database_cuts, self._cut_off),
        )
        for name, rate, act in kinds:
            if rate:
                chance = self._kernel.chance(name)
                self._tasks.append(asyncio.get_running_loop().create_task(self._again_and_again(rate, act, chance)))

    async def _again_and_again(
        self, rate: float, act: Callable[[random.Random], Awaitable[None]], chance: random.Random
    ) -> None:
        while True:
            await asyncio.sleep(chance.expovariate(rate / HOUR))
            await act(chance)

    def _note(
        self,
        kind: str,
        until: float | None = None,
        *,
        subject: int = 0,
        amount: float = 0.0,
        life: BotLife | None = None,
    ) -> None:
        now = self._kernel.now
        life = self._bots.current if life is None else life
        self._kernel.note(0, kind)
        self._record.add(
            Disturbance(
                kind,  # type: ignore[arg-type]  # one of its kinds
                now,
                now if until is None else until,
                0 if life is None else life.number,
                subject,
                amount,
            )
        )

    # ------------------------------------------------------------------------------------ the network

    def _line(self, chance: random.Random) -> Line | None:
        return chance.choice(self._network.lines) if self._network.lines else None

    async def _cut(self, chance: random.Random) -> None:
        line = self._line(chance)
        if line is not None:
            self._note("cut", subject=line.number)
            line.cut()

    async def _silence(self, chance: random.Random) -> None:
        line, seconds = self._line(chance), chance.uniform(0.0, 2 * self._weather.silence_seconds)
        if line is not None:
            self._note("silence", self._kernel.now + seconds, subject=line.number)
            line.fall_silent(seconds)

    async def _lose_one_way(self, chance: random.Random) -> None:
        line = self._line(chance)
        if line is not None:
            self._note("silence", float("inf"), subject=line.number)
            line.lose_one_way(from_client=chance.random() < 0.5)

    async def _outage(self, chance: random.Random) -> None:
        seconds = chance.uniform(0.0, 2 * self._weather.outage_seconds)
        self._note("refusal", self._kernel.now + seconds)
        self._network.refuse(seconds)
        await asyncio.sleep(seconds)

    # ------------------------------------------------------------------------------------ Discord

    async def _lose_session(self, _chance: random.Random) -> None:
        self._note("session lost")
        self._sandbox.drop_gateway(resumable=False)

    async def _ask_to_reconnect(self, _chance: random.Random) -> None:
        self._note("cut")
        self._sandbox.gateway.ask_to_reconnect()

    async def _server_outage(self, chance: random.Random) -> None:
        server = chance.choice(list(self._sandbox.world.servers.values()))
        seconds = chance.uniform(0.0, 2 * self._weather.server_outage_seconds)
        self._note("server gone", self._kernel.now + seconds, subject=server.id)
        self._sandbox.lose_server(server)
        await asyncio.sleep(seconds)
        self._note("server back", subject=server.id)
        self._sandbox.restore_server(server)

    async def _leave_guild(self, chance: random.Random) -> None:
        server = chance.choice(list(self._sandbox.world.servers.values()))
        seconds = chance.uniform(0.0, 2 * self._weather.guild_return_seconds)
        self._note("server gone", self._kernel.now + seconds, subject=server.id)
        self._sandbox.remove_bot(server)
        await asyncio.sleep(seconds)
        self._note("server back", subject=server.id)
        self._sandbox.add_bot(server)

    def _channel(self, chance: random.Random) -> DrivenChannel | None:
        found = [
            self._sandbox.channel(channel.name, server.name)
            for server in self._sandbox.world.servers.values()
            for channel in server.channels.values()
            if channel.name.startswith(world.CHANNEL)
        ]
        return chance.choice(found) if found else None

    async def _hide_channel(self, chance: random.Random) -> None:
        channel = self._channel(chance)
        if channel is None:
            return
        seconds = chance.uniform(0.0, 2 * self._weather.hidden_seconds)
        self._note("channel hidden", self._kernel.now + seconds, subject=channel.id)
        channel.deny(Permission.VIEW_CHANNEL)
        await asyncio.sleep(seconds)
        self._note("channel shown", subject=channel.id)
        channel.allow(Permission.VIEW_CHANNEL)

    async def _delete_channel(self, chance: random.Random) -> None:
        channel = self._channel(chance)
        if channel is not None:
            self._note("channel hidden", float("inf"), subject=channel.id)
            self._sandbox.delete_channel(channel)

    async def _delete_board(self, chance: random.Random) -> None:
        channel = self._channel(chance)
        boards = [] if channel is None else [view for view in channel.messages if view.buttons]
        if boards:
            self._sandbox.delete_message(chance.choice(boards))

    # ------------------------------------------------------------------------------------ the bot's process

    async def _kill(self, chance: random.Random) -> None:
        for _ in range(self._weather.kills_in_a_row):
            self._bots.kill()
            await asyncio.sleep(chance.uniform(0.0, self._weather.kill_pause))

    async def _cut_power(self, _chance: random.Random) -> None:
        self._bots.kill(power_cut=True)

    async def _restart(self, _chance: random.Random) -> None:
        self._bots.tell()

    async def _stand_still(self, chance: random.Random) -> None:
        life, seconds = self._bots.current, chance.uniform(0.0, self._weather.standstill_seconds)
        if life is not None:
            self._note("standstill", self._kernel.now + seconds, life=life)
            life.loop.stand_still(seconds)
            await asyncio.sleep(seconds)

    async def _second_bot(self, _chance: random.Random) -> None:
        self._note("second bot", self._kernel.now + SECOND_BOT_SECONDS)
        self._bots.second_bot(SECOND_BOT_SECONDS)

    async def _step_clock(self, chance: random.Random) -> None:
        step = self._weather.clock_step_seconds * (1 if chance.random() < 0.5 else -1)
        if self._bots.skew * step > 0:  # it wanders back rather than away
            step = -self._bots.skew
        self._note("clock step", amount=step)
        self._bots.set_clock(self._bots.skew + step)

    async def _cut_off(self, chance: random.Random) -> None:
        life, seconds = self._bots.current, chance.uniform(0.0, self._weather.database_cut_seconds)
        if life is not None and life.line is not None:
            self._note("database cut", self._kernel.now + seconds, life=life)
            life.line.cut_until = self._kernel.now + seconds

    async def _store_spell(self, chance: random.Random) -> None:
        seconds = chance.uniform(0.0, 2 * self._weather.store_spell_seconds)
        self._note("store error", self._kernel.now + seconds)
        self._disk.failing_until = self._kernel.now + seconds
        await asyncio.sleep(seconds)
