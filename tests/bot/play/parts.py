"""The parts of `bot.play`, put together as `bot.__main__` does, with an observer that notes what it is told."""

from __future__ import annotations

import asyncio
import random
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

from bot.play.clocks.match_clock import MatchClock
from bot.play.closed_deals import ClosedDeals
from bot.play.days import Days
from bot.play.deals.tried import TriedDeals
from bot.play.limits import Limits
from bot.play.live_match import BoardLocation, LiveMatch
from bot.play.match_lifecycle import MatchLifecycle
from bot.play.match_press import MatchPresses
from bot.play.match_registry import MatchRegistry
from bot.play.matchmaking.invitations import Invitations, Inviting, Proposal, Terms
from bot.play.matchmaking.seating import Seating
from bot.play.observers import Observer, Observers
from bot.play.quarantine import Quarantine
from bot.play.restoring import MatchRestorer
from bot.play.venues import Venues
from bot.scheduler import LoopScheduler, Scheduler
from bot.settings import Settings
from bot.store.queries.attendances import Attendance, Stay
from bot.store.queries.invitations import Invitation, InvitationKind, InvitationState, StandIn
from bot.store.queries.matches import Obstacle
from bot.store.special_ids import computer_id
from bot.store.store import Store
from bot.telemetry import NO_TELEMETRY
from cogs.daily.deals import DailyDeals
from cogs.daily.queries import DailyQueries
from discord_sandbox.virtual_time import settle
from engines import GAMES
from engines.game import Seat
from laws.play import random_act
from tests.bot.store import rows
from tests.bot.store.memory_store import MemoryStore
from tests.quick_reviewer import InLoop

GUILD, CHANNEL, ELSEWHERE, MESSAGE = 900_001, 910_001, 910_002, 920_001
ANN, BOB, CAT = 1, 2, 3
PURGE_DAYS = 30
BEGUN = 1_800_000_000_000
"""The time of day at which a test begins, in ms UTC."""

press_ids = count(1)


@dataclass
class Heard(Observer):
    """What an observer was told: the event and the match, invitation or server."""

    events: list[tuple[str, object]] = field(default_factory=list)

    def match_changed(self, match: LiveMatch) -> None:
        self.events.append(("changed", match))

    def match_resumed(self, match: LiveMatch, former: BoardLocation, by: Seat) -> None:
        self.events.append(("resumed", (match, former, by)))

    def match_repaired(self, match: LiveMatch) -> None:
        self.events.append(("repaired", match))

    def invitation_closed(self, invitation: Invitation, state: InvitationState) -> None:
        self.events.append(("closed", (invitation.id, state)))

    def invitation_repaired(self, invitation: Invitation) -> None:
        self.events.append(("repaired", invitation.id))

    def server_purged(self, guild_id: int) -> None:
        self.events.append(("purged", guild_id))

    def take(self) -> list[tuple[str, object]]:
        """What was told since this was asked last."""
        events, self.events = self.events, []
        return events


@dataclass
class FakeSafeguard:
    """Says of the clock what a test wants, and counts the backups that it is asked for."""

    doubt: str = ""
    fails: bool = False
    backups: int = 0
    since: int = 0

    def clock_doubt(self, _now: int) -> str:
        return self.doubt

    async def before_purge(self, since: int) -> bool:
        self.backups += 1
        self.since = since
        await asyncio.sleep(0)  # it takes minutes, and others run meanwhile
        return not self.fails


class OpenToAll:
    """Everybody can play everywhere."""

    async def obstacle(self, _guild_id: int, _channel_id: int, _user_id: int) -> Obstacle | None:
        return None


class Parts:
    """All of it, on one store."""

    def __init__(self, store: Store, scheduler: Scheduler, seed: int = 1) -> None:
        """Those on the same data need seeds of their own, or their invitations have the same ids."""
        self.store = store
        self.scheduler = scheduler
        self.now = now = scheduler.now
        self.heard = Heard()
        self.safeguard = FakeSafeguard()
        self.observers = observers = Observers()
        roomy = Settings().model_copy(update={"max_matches_per_channel": 1000, "max_matches_per_server": 1000})
        self.quarantine, limits = Quarantine(store, NO_TELEMETRY), Limits(roomy)
        observers.add(self.heard)
        self.registry = MatchRegistry(store, self.quarantine, now, NO_TELEMETRY)
        self.clock = MatchClock(store, self.registry, observers, scheduler, access=OpenToAll())
        self.lifecycle = MatchLifecycle(
            store,
            self.registry,
            self.clock,
            quarantine=self.quarantine,
            limits=limits,
            observers=observers,
            now=now,
            access=OpenToAll(),
        )
        self.restorer = MatchRestorer(
            store, self.registry, self.clock, quarantine=self.quarantine, now=now, telemetry=NO_TELEMETRY
        )
        self.invitations = Invitations(store, observers, scheduler)
        self.inviting = Inviting(self.invitations, self.registry, limits, now, random.Random(seed))
        self.seating = Seating(self.invitations, self.registry, self.lifecycle, store=store, limits=limits, now=now)
        self.presses = MatchPresses(self.clock, observers)
        self.days = Days(self.registry, self.lifecycle, self.quarantine, scheduler)
        self.closed_deals = ClosedDeals(self.registry, now)
        self.tried = TriedDeals(self.days, self.lifecycle, InLoop(), scheduler, source=random.Random(seed))
        self.daily = DailyDeals(DailyQueries(store), self.tried)

    def venues(self) -> Venues:
        """The venues of its matches and invitations."""
        return Venues(
            self.store,
            self.registry,
            self.lifecycle,
            self.invitations,
            observers=self.observers,
            scheduler=self.scheduler,
            safeguard=self.safeguard,
            purge_days=PURGE_DAYS,
        )

    @classmethod
    def fresh(cls) -> Parts:
        """Parts on an empty store."""
        scheduler = LoopScheduler(BEGUN)
        return cls(MemoryStore(now=scheduler.now), scheduler)

    async def restarted(self) -> tuple[Parts, LiveMatch]:
        """Another process on the same data, and the one match that it finds. It is to be closed."""
        later = Parts(self.store, self.scheduler, seed=2)
        await later.restore_all()
        (match,) = later.registry.live()
        return later, match

    async def restore_all(self) -> list[LiveMatch]:
        """Restore all unfinished matches at once. Returns those that ended so shortly before that their last board may
        be missing."""
        ended = await self.restorer.begin()
        await self.restorer.run()
        return [match async for match in self.restorer.ended(ended)]

    async def close(self) -> None:
        await self.invitations.close()
        await self.days.close()
        await self.clock.close()

    async def invited(
        self,
        host: int = ANN,
        guest: int = BOB,
        clock: str = "blitz",
        game: str = "haymaker",
        stand_in: StandIn = StandIn.OFF,
        *,
        more: tuple[int, ...] = (),
    ) -> Invitation:
        """A challenge to a match, with 30 seconds a turn unless another clock is named."""
        terms = Terms(GUILD, CHANNEL, game, GAMES[game].info.options(), clock, stand_in=stand_in)
        return await self.inviting.invite(Proposal(terms, host, (guest, *more)))

    async def accepted(self, invitation_id: str, user: int) -> LiveMatch:
        """The match that begins as somebody accepts a challenge."""
        with self.presses.take_up(invitation_id, next(press_ids)) as press:
            match = await self.seating.take_seat(invitation_id, user, MESSAGE, press)
        assert isinstance(match, LiveMatch)
        return match

    async def readying(self) -> Invitation:
        """A table of Champions of Chance that waits for its two guests to be ready."""
        terms = Terms(GUILD, CHANNEL, "champions", GAMES["champions"].info.options(), "normal")
        table = await self.inviting.invite(Proposal(terms, ANN, kind=InvitationKind.TABLE))
        for user in (BOB, CAT):
            with self.presses.take_up(table.id, next(press_ids)) as press:
                await self.seating.take_seat(table.id, user, MESSAGE, press)
        self.invitations.presence.ask(table.id, (BOB, CAT))
        return self.invitations.get_open(table.id)

    async def alone(self, game: str = "haymaker") -> Invitation:
        """A table of one person with a computer, whose match is to be played alone."""
        terms = Terms(GUILD, CHANNEL, game, GAMES[game].info.options(), "blitz")
        computer = (computer_id("easy"),)
        at = InvitationKind.TABLE
        return await self.inviting.invite(
            Proposal(terms, ANN, kind=at, computers=computer, private=True, at_once=True, alone=True)
        )

    async def opened(
        self,
        host: int = ANN,
        guest: int = BOB,
        clock: str = "blitz",
        game: str = "haymaker",
        stand_in: StandIn = StandIn.OFF,
        *,
        more: tuple[int, ...] = (),
    ) -> LiveMatch:
        """A match in play, whose first question is shown; what its observers were told of it is forgotten."""
        invitation = await self.invited(host, guest, clock, game, stand_in, more=more)
        match: LiveMatch | Invitation = invitation
        for user in (guest, *more):
            with self.presses.take_up(invitation.id, next(press_ids)) as press:
                match = await self.seating.take_seat(invitation.id, user, MESSAGE, press)
        assert isinstance(match, LiveMatch)
        self.clock.mark_shown(match, match.window_number)
        self.heard.take()
        return match

    async def ended(self) -> LiveMatch:
        """A match that somebody has resigned."""
        match = await self.opened()
        await match.call_off(0, next(press_ids))
        await match.call_off(1, next(press_ids))
        self.clock.settle(match)
        return match

    async def pass_time(self, ms: int) -> None:
        """Let time pass. What is due by then rings, and what comes of it at once is done."""
        await asyncio.sleep(ms / 1000)
        await settle()


async def attended_badly(store: Store, user: int, now: int, stay: Stay = Stay.LEFT, in_time: int = 10) -> None:
    """Leave in the store that somebody has attended some matches like this, each of ten turns."""
    for number in range(8):
        name = f"bad{number}"
        await rows.opened(store, name, guild=GUILD, seats=(user, user + 1))
        kept = Attendance(name, 0, now, now, stay, asked=10, in_time=in_time)
        result = replace(rows.result(name, counted=False), attendances=(kept,))
        await store.append(rows.record(1, name), (), result)


def on_turn(match: LiveMatch) -> Seat:
    """The seat that the match waits for."""
    (seat,) = match.awaited
    return seat


def an_act(match: LiveMatch) -> Any:
    """An act that the seat on turn may make."""
    return random_act(match.choices(on_turn(match)), random.Random(1))
