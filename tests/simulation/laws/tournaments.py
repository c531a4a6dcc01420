"""What holds of tournaments, as the last image of the disk has them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from math import isinf
from typing import Final

from bot.pairing.model import Scoring
from bot.pairing.standings import ranked
from bot.scheduler import DAY
from cogs.tournaments.rows import How, PairingRow, State, Whole
from tests.simulation.happenings import Happening, Violation
from tests.simulation.history import History, Log
from tests.simulation.laws.foundation import Attendance, BaseLaw, Troubles
from tests.simulation.tournaments import tournaments_of

LONGEST_ROUND: Final = 3 * 3600.0
"""Seconds after which a round is over whose tournament is not on hold: several times what its matches' clocks allow
for, because that begins again with each start of the bot."""
PARTS: Final = 120
"""Of a point: those of all tables are whole numbers of them."""
SOON: Final = 600.0
"""Seconds in which the next step is made where nobody is waited for: a step that could not be saved is tried again."""


class _OfImage(BaseLaw):
    """A law of what is kept at the end."""

    def wholes(self) -> list[Whole]:
        """All tournaments of the last image."""
        images = self.history.images
        return [] if not images or self.simulation.weather.lying_syncs else tournaments_of(images[-1].path)


class RoundsEnd(_OfImage):
    """Every round ends, and nobody waits for a match much longer than its clock allows."""

    name = "rounds end"
    why = "People came for an evening: neither a kill, nor somebody who walked away, may stop a tournament for good."
    every = 30.0

    def __init__(self, history: History) -> None:
        super().__init__(history)
        self._there, self._troubles = Attendance(), Troubles()
        self._offset = 0.0

    def hear(self, happening: Happening) -> None:
        self._troubles.hear(happening)

    def look(self) -> Iterable[Violation]:
        bot = self._there.look(self.simulation)
        if bot is not None:
            self._offset = bot.wall() - self.simulation.now
        return ()

    def end(self) -> Iterable[Violation]:
        simulation, weather = self.simulation, self.simulation.weather
        if not self.history.images or weather.clock_steps or weather.clock_skew or self._there.bot is None:
            return
        log = self.history.log()
        ended = [max(each.at, each.until) for each in self._troubles.all]
        quiet = max([self._there.since, *[each for each in ended if not isinf(each)]])
        for whole in self.wholes():
            tournament = whole.tournament
            if tournament.state is State.PLAYING and not tournament.every:
                since, most = _waiting(whole, log)
                waits = simulation.now - max(quiet, since / 1000 - self._offset)
                if waits > most:
                    yield self.violation(f"{tournament.id} has waited in round {tournament.round} for {waits:.0f} s")


def _waiting(whole: Whole, log: Log) -> tuple[int, float]:
    """Since when (ms UTC) a tournament has waited for what comes next, and how many seconds it may."""
    tournament, round_ = whole.tournament, whole.this_round
    if tournament.held_until is not None:  # one whose time was up while the bot was down gets another day
        return tournament.held_until, DAY / 1000 + SOON
    if round_ is None or round_.ended_at is not None:
        return tournament.due_at or 0, SOON
    open_ = [each for each in whole.in_round if each.how is None]
    legs = [leg for each in open_ for leg in each.legs]
    if all(leg.match_id in log.results for leg in legs):
        return max([round_.began_at, *[log.results[leg.match_id].ended_at for leg in legs]]), SOON
    return round_.began_at, LONGEST_ROUND


class TournamentsFollow(_OfImage):
    """The standings of a tournament are what the results of its matches, byes, walkovers and corrections make."""

    name = "tournaments follow"
    why = "A result is counted once, and as the match ended, whatever is killed between its end and the standings."

    def end(self) -> Iterable[Violation]:
        if not self.history.images:
            return
        log = self.history.log()
        for whole in self.wholes():
            for what in (*_wrong_legs(whole, log), *_wrong_points(whole)):
                yield self.violation(f"{whole.tournament.id}: {what}")


class TournamentsAreApart(_OfImage):
    """No tournament touches another: a match, a deal and a number belong to one, and nobody plays twice in a round or
    two evenings at once."""

    name = "tournaments are apart"
    why = "Several are played at once in a server, and all are moved on by the same process."

    def end(self) -> Iterable[Violation]:
        if not self.history.images:
            return
        log, of, deals = self.history.log(), Counter[str](), dict[str, str]()
        wholes = self.wholes()
        evenings = [each for each in wholes if not each.tournament.every and not each.tournament.ended]
        entered = Counter((each.tournament.guild_id, one.user_id) for each in evenings for one in each.people)
        for (_, user_id), times in entered.items():
            if times > 1:
                yield self.violation(f"{user_id} is in {times} evenings")
        for whole in wholes:
            for pairing in whole.pairings:
                of.update(leg.match_id for leg in pairing.legs)
                for leg in pairing.legs:
                    if deals.setdefault(leg.deal, whole.tournament.id) != whole.tournament.id:
                        yield self.violation(f"deal {leg.deal} is of two tournaments")
            for what in _wrong_matches(whole, log):
                yield self.violation(f"{whole.tournament.id}: {what}")
        for match_id, times in of.items():
            if times > 1:
                yield self.violation(f"match {match_id} is of {times} pairings")
        for match_id, row in log.rows.items():
            if row.reserved and match_id not in of:
                yield self.violation(f"match {match_id} is of no tournament")


def _wrong_legs(whole: Whole, log: Log) -> Iterator[str]:
    for pairing in whole.pairings:
        for leg in pairing.legs:
            result = log.results.get(leg.match_id)
            if result is None or leg.got is None or pairing.how is How.LATE:
                continue
            ranks = dict(zip(pairing.seats(leg.leg), result.ranks, strict=False))
            own = [ranks.get(user, 0) for user in pairing.people]  # none if it was called off
            expected = tuple([2 * sum(mine < each for each in own) + own.count(mine) - 1 for mine in own])
            if leg.got != expected:
                yield f"match {leg.match_id} gave {expected}, and {leg.got} is counted"


def _wrong_points(whole: Whole) -> Iterator[str]:
    tournament = whole.tournament
    if tournament.scoring is not Scoring.WINS or not tournament.round:
        return
    points = Counter[int]()
    for pairing in whole.pairings:
        for user, got in _points(pairing):
            points[user] += got
    for row in ranked(tournament.format, whole.model, whole.played, tournament.scoring):
        if round(row.points * PARTS) != points[row.user_id]:
            yield f"somebody has {row.points} points, and their results make {points[row.user_id] / PARTS}"


def _points(pairing: PairingRow) -> Iterator[tuple[int, int]]:
    """The points of each in a pairing that is over, in parts, without the room's own arithmetic."""
    if pairing.how is None:
        return
    others = len(pairing.people) - 1
    if not others:
        yield pairing.people[0], PARTS
        return
    for index, user in enumerate(pairing.people):
        half = others if pairing.got is None else pairing.got[index]
        for leg in pairing.legs if pairing.got is None else ():
            half = leg.got[index] if leg.got is not None else half
        yield user, half * PARTS // (2 * others)


def _wrong_matches(whole: Whole, log: Log) -> Iterator[str]:
    tournament = whole.tournament
    for number in range(1, tournament.round + 1):
        seated = Counter(user for each in whole.of_round(number) for user in each.people)
        if any(times > 1 for times in seated.values()):
            yield f"somebody is in two pairings of round {number}"
    if [each.number for each in whole.rounds] != [*range(1, tournament.round + 1)]:
        yield f"its rounds are {[each.number for each in whole.rounds]} of {tournament.round}"
    if any(each.ended_at is None for each in whole.rounds[:-1]):
        yield "a round began before the one before it was over"
    for pairing in whole.pairings:
        for leg in pairing.legs:
            row = log.rows.get(leg.match_id)
            if row is None or (row.guild_id, row.game) != (tournament.guild_id, tournament.game):
                yield f"match {leg.match_id} is not of its server and game"
            elif row.seats != pairing.seats(leg.leg) or row.deal_id != leg.deal:
                yield f"match {leg.match_id} has other people or another deal than its pairing"
