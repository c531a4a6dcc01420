"""The matches of tournaments: their sealed deals, how they begin by themselves, and how long they may take."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

from bot.games import GAMES
from bot.play.clocks.match_lengths import expected_minutes
from bot.play.deals.sealing import SYSTEM_RANDOM, random_id, seal
from bot.play.match_lifecycle import MatchLifecycle, row_of
from bot.play.match_registry import MatchRegistry
from bot.play.match_state import codec
from bot.play.refusals import Unsaved
from bot.store.queries.invitations import Invitation, InvitationKind
from bot.store.queries.matches import Suspension
from bot.store.queries.play import Begun
from bot.time_controls import time_control
from cogs.tournaments.queries import TournamentQueries
from cogs.tournaments.rows import DealRow, PairingRow, Tournament
from cogs.tournaments.threads import MatchThreads

MINUTE: Final = 60_000
SHORTEST_BOUND: Final = 30 * MINUTE
"""Of how long (ms) a match may take at least, however short it is expected to be."""
TIMES_EXPECTED: Final = 4
LONGEST_BOUND: Final = 14 * 24 * 60 * MINUTE
"""How long (ms) a match in slow play may take where no next round is due."""

LOST: Final = frozenset(
    {Suspension.CHANNEL_GONE, Suspension.NO_ACCESS, Suspension.NO_SENDING, Suspension.REMOVED, Suspension.THREAD_CLOSED}
)
"""How the venue of a match is lost where its tournament is."""


def is_slow(tournament: Tournament) -> bool:
    """Whether its matches may take as long as the round does."""
    return not tournament.lasts and time_control(tournament.clock).slow and GAMES[tournament.game].info.turn_clock


def bound(tournament: Tournament, round_began: int, began: int) -> int:
    """Until when (ms UTC) a match may be in play that `began` in a round.

    In slow play all matches of a round have until the next one is due. Others have several times as long as they are
    expected to last.
    """
    if is_slow(tournament):
        return round_began + (1000 * tournament.every or LONGEST_BOUND)
    options, clock = codec(tournament.game).decode(tournament.options), time_control(tournament.clock)
    minutes = expected_minutes(tournament.game, options, tournament.seats, clock) or 0
    return began + max(SHORTEST_BOUND, TIMES_EXPECTED * minutes * MINUTE)


def sealed(tournament: Tournament, round_: int, pairing: int, nth: int, source: random.Random) -> DealRow:
    """A new deal of a round. `pairing` is 0 for one that all pairings play."""
    game, written = tournament.game, codec(tournament.game)
    deal = seal(game, written.decode(tournament.options), written, source, clock=tournament.clock)
    return DealRow(round=round_, pairing=pairing, nth=nth, **deal.columns())


class HeldDeals:
    """The deals of rounds in play: nothing of them is shown to anybody. `show` shows the matches of a deal once it is
    held no longer."""

    def __init__(self, show: Callable[[int, str], None]) -> None:
        self._show = show
        self._held: set[tuple[int, str]] = set()
        self._known = False

    def is_closed(self, guild_id: int, deal_id: str) -> bool:
        """Whether a deal is held; of all it is said until they are known."""
        return not self._known or (guild_id, deal_id) in self._held

    def hold(self, guild_id: int, deal_ids: Iterable[str]) -> None:
        """Hold deals."""
        self._held.update((guild_id, deal_id) for deal_id in deal_ids)

    def release(self, guild_id: int, deal_ids: Iterable[str]) -> None:
        """Hold deals no longer, and show the matches of those that were held."""
        held = [deal_id for deal_id in deal_ids if (guild_id, deal_id) in self._held]
        self._held.difference_update((guild_id, deal_id) for deal_id in held)
        for deal_id in held:
            self._show(guild_id, deal_id)

    def all_known(self) -> None:
        """From now on a deal that isn't held is open."""
        self._known = True

    def forget_server(self, guild_id: int) -> None:
        """Hold no deal of a purged server."""
        self._held = {(guild, deal) for guild, deal in self._held if guild != guild_id}


@dataclass(slots=True, eq=False)
class TournamentMatches:
    """Begins the matches of pairings, and ends those that take too long."""

    queries: TournamentQueries
    lifecycle: MatchLifecycle
    registry: MatchRegistry
    now: Callable[[], int]
    held: HeldDeals
    threads: MatchThreads
    source: random.Random = SYSTEM_RANDOM
    of: dict[str, tuple[int, str]] = field(default_factory=dict, init=False)
    """By a match that is in play: the server and id of its tournament."""

    async def begin(self, tournament: Tournament, pairing: PairingRow, leg: int) -> None:
        """Begin a match of a pairing.

        Raises Conflict if that was done before, Refused if it can't be dealt or no more may begin in the server now,
        and Unsaved.
        """
        deal = await self._deal(tournament, pairing, leg)
        if tournament.same_deal:
            self.held.hold(tournament.guild_id, [deal.deal_id])
        asked = self._asked(tournament, pairing.seats(leg), deal)
        row = row_of(asked, self.now())
        venue = await self.threads.venue(tournament, pairing.seats(leg))
        row = replace(row, channel_id=venue, shared=tournament.same_deal, rated=tournament.rated, reserved=True)
        save = partial(self._save, tournament.id, (pairing.round, pairing.number, leg))
        match = await self.lifecycle.open_now(asked, row, save)
        self.of[row.id] = tournament.guild_id, tournament.id
        self.threads.opened(tournament, match)

    async def prepare(self, tournament: Tournament, pairings: Iterable[PairingRow]) -> None:
        """Prepare the venues of pairings whose next matches begin now. Raises StoreError."""
        await self.threads.prepare(tournament, [each.seats(len(each.legs) + 1) for each in pairings])

    async def _save(self, tournament_id: str, which: tuple[int, int, int], begun: Begun) -> None:
        await self.queries.begin_leg(begun, tournament_id, which)

    async def _deal(self, tournament: Tournament, pairing: PairingRow, nth: int) -> DealRow:
        """The deal of a pairing, sealed now if it is a further one. Raises StoreError."""
        key = pairing.round, 0 if tournament.same_deal else pairing.number, nth
        here = tournament.guild_id, tournament.id
        found = {(each.round, each.pairing, each.nth): each for each in await self.queries.deals(*here)}
        if key not in found:
            made = sealed(tournament, *key, self.source)
            await self.queries.add_deal(*here, made)
            return made
        return found[key]

    def _asked(self, tournament: Tournament, seats: tuple[int, ...], deal: DealRow) -> Invitation:
        """The invitation of a match, which was open to nobody."""
        now = self.now()
        return Invitation(
            id=random_id(self.source),
            guild_id=tournament.guild_id,
            channel_id=tournament.channel_id,
            message_id=None,
            game=tournament.game,
            options=tournament.options,
            clock=tournament.clock,
            host_id=seats[0],
            invited=seats[1:],
            seated=seats,
            created_at=now,
            expires_at=now,
            kind=InvitationKind.TABLE,
            private=True,
            **deal.columns(),
        )

    async def end(self, match_id: str) -> bool:
        """Call a match off that has taken too long. Returns whether this did it: it may have ended by itself. Raises
        Unsaved and Busy; then it is still in play."""
        await self.registry.waiting.restored([match_id])
        match = self.registry.playing(match_id)
        if match is not None:
            await self.lifecycle.suspend(match, Suspension.MODERATED)
            if await self.lifecycle.end_held(match):
                return True
            if not match.over:
                raise Unsaved(busy=True)
        stopped = [held for held in self.registry.quarantined() if held.row.id == match_id]
        for held in stopped:
            await self.lifecycle.end_quarantined(held)
        return bool(stopped)
