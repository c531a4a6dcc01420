"""Tournaments on the parts of `bot.play`, as the room opens them, whose matches scripts play."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any, cast

from bot.play.live_match import LiveMatch
from bot.play.refusals import Refused
from bot.telemetry import NO_TELEMETRY
from cogs.actions.hosting import By
from cogs.actions.own_threads import OwnThreads
from cogs.tournaments.cups import Alone, Tournaments
from cogs.tournaments.matches import HeldDeals, TournamentMatches
from cogs.tournaments.queries import TournamentQueries
from cogs.tournaments.rounds import BREAK, Director, Rounds
from cogs.tournaments.rows import EntrantRow, PairingRow, Terms, Tournament, Whole
from cogs.tournaments.threads import MatchThreads
from engines import GAMES
from engines.game import Resign
from tests.bot.play.parts import CHANNEL, GUILD, Parts, press_ids
from tests.cogs.stepwise import Stepwise

HOST = By(1)


class Directed(Stepwise):
    """The room on parts, and a tournament that is looked at."""

    director: Director

    def __init__(self, parts: Parts, seed: int = 36) -> None:
        self.parts, source = parts, random.Random(seed)
        self.told: list[str] = []
        self.opened: list[str] = []
        self.given_up: list[Tournament] = []
        self.queries = TournamentQueries(parts.store)
        alone = Alone()
        self.held = HeldDeals(lambda _, deal_id: self.opened.append(deal_id))
        parts.closed_deals.add(self.held.is_closed)
        in_channels = MatchThreads(cast("OwnThreads", SimpleNamespace(wanted=lambda _: False)))
        matches = TournamentMatches(
            self.queries, parts.lifecycle, parts.registry, parts.now, self.held, in_channels, source
        )
        admission = parts.invitations.admission
        self.rounds = Rounds(
            matches,
            admission,
            parts.store,
            parts.now,
            lambda _, changed: self.told.append(changed),
            self.given_up.append,
        )
        self.director = Director(
            parts.scheduler, NO_TELEMETRY, parts.clock, self.queries, self.rounds, self.held, alone
        )
        self.cups = Tournaments(self.queries, admission, parts.scheduler, alone, self.director.wake, source)
        parts.observers.add(self.director)

    async def opened_for(self, people: Sequence[int], **terms: Any) -> Tournament:
        """A tournament that these have joined, of whom the first is its host. It begins when it is full."""
        given = {"most": max(4, len(people)), "clock": "blitz", "game": "haymaker", **terms}
        options = given.pop("options", GAMES[given["game"]].info.options())
        open_for = given.pop("open_for", 15 * 60)
        wanted = Terms(guild_id=GUILD, channel_id=CHANNEL, **given)
        made = await self.cups.create(wanted, options, people[0], open_for)
        for user in people:
            await self.cups.join(GUILD, made.id, user)
        await self.quiet()
        return made

    async def whole(self, tournament: Tournament) -> Whole:
        """What is kept of it now."""
        return await self.cups.whole(GUILD, tournament.id)

    async def entrant(self, tournament: Tournament, user: int) -> EntrantRow:
        """Somebody who is in it, or was."""
        found = (await self.whole(tournament)).entrant(user)
        assert found is not None
        return found

    async def pairing_of(self, tournament: Tournament, match: LiveMatch) -> PairingRow:
        """The pairing of this round that a match belongs to."""
        in_round = (await self.whole(tournament)).in_round
        return next(each for each in in_round if {*each.people} == {*match.seats})

    def bar(self, user: int) -> None:
        """Let somebody play in no match any more."""

        async def may_play(_: int, asked: int) -> None:
            if asked == user:
                raise Refused("bar.barred")

        self.parts.invitations.admission.add(may_play, None)

    def playing(self) -> list[LiveMatch]:
        """The matches in play."""
        return self.parts.registry.in_server(GUILD)

    async def play_round(self, wins: Callable[[LiveMatch], int]) -> None:
        """Play all matches of a round to their end: `wins` is the seat that wins, and the others resign, those with the
        highest ids first; -1 for a match that is called off."""
        while playing := self.playing():
            for match in playing:
                await self.end(match, wins(match))
            await self.quiet()

    async def next_round(self, wins: Callable[[LiveMatch], int] | None = None) -> None:
        """Play a round to its end, unless it is told otherwise by the lower ids' wins, and wait for the next one."""
        await self.play_round(wins or lower_wins)
        await self.pass_time(BREAK)

    async def end_all(self, winner: int) -> None:
        """End the matches in play, all by the same seat's win."""
        for match in self.playing():
            await self.end(match, winner)

    async def end(self, match: LiveMatch, winner: int) -> None:
        """End a match."""
        for seat in sorted(range(len(match.seats)), key=match.seats.__getitem__, reverse=True):
            if winner < 0:
                await match.call_off(seat, next(press_ids))
            elif seat != winner:
                await match.act(seat, Resign())
        self.parts.clock.settle(match)
        self.parts.observers.match_changed(match)

    async def play(self, tournament: Tournament, wins: Callable[[LiveMatch], int]) -> Whole:
        """Play a tournament to its end."""
        while not (found := await self.whole(tournament)).tournament.ended:
            await self.next_round(wins)
        return found


def lower_wins(match: LiveMatch) -> int:
    """The person with the lower id wins."""
    return match.seats.index(min(match.seats))
