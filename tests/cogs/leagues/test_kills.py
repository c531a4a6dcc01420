"""A process may die between any two things that it writes: the next one finishes the season as if nothing was."""

from __future__ import annotations

from typing import Final

import pytest

from cogs.actions import steps
from cogs.leagues.leagues import WEEK
from cogs.leagues.queries import League, PairingRow, Whole
from tests.bot.play.parts import GUILD, Parts
from tests.cogs.dying import Dying, Killed
from tests.cogs.leagues.directed import HOST, Directed, of_week

PEOPLE = (1, 2, 3, 4, 5)
WRITES: Final = 30
"""How often a process writes in the season below; the last time says that it is over."""


async def a_week(directed: Directed, league: League) -> None:
    """What people do in a week, as far as they have not done it: the first pair plays, of the second one challenges;
    in week 2 somebody leaves whom a substitute replaces."""
    whole = await directed.whole(league)
    first, second = of_week(whole, whole.league.week)
    if whole.league.week == 2 and whole.is_in(3):
        await directed.after(directed.leagues.leave(GUILD, league.id, 3))
    if first.how is None and not _has_challenged(whole, first):
        await directed.play(league, whole.place(min(first.places)).user_id)
    if second.how is None and not _has_challenged(whole, second):
        await directed.challenge(league, whole.place(second.second).user_id)


def _has_challenged(whole: Whole, pairing: PairingRow) -> bool:
    """Whether a challenge was made, and not only noted by a process that died then."""
    return any(each.state is not None for each in whole.offers_of(pairing))


async def played(left: int) -> tuple[Whole, int, bool]:
    """A season of five with a substitute, whose process dies when the room has written some times; how often people
    were reminded; and whether it died before the end."""
    parts = Parts.fresh()
    directed = Directed(parts)
    await directed.director.resume()
    league = await directed.opened_for(PEOPLE)
    dying = Dying(directed.queries.database, left)
    directed.queries.database = dying  # type: ignore[assignment]
    at, whole = directed, await directed.whole(league)
    reminders, started = 0, False
    while True:
        try:
            if not started:
                await at.leagues.start(GUILD, league.id, HOST)
                started = True
                await at.leagues.join(GUILD, league.id, 20)
            await at.quiet()
            whole = await at.whole(league)
            if not whole.league.is_playing:
                break
            if whole.league.week <= whole.league.weeks:
                await a_week(at, league)
            await at.pass_time((whole.league.due_at or 0) - at.parts.now())
            died = dying.left == 0 and at is directed
        except Killed:
            died = True
        if died:  # also if the director heard that, which tries again
            reminders += len(at.reminded)
            await at.director.close()
            await at.parts.close()
            later = Parts(parts.store, parts.scheduler, seed=2)
            await later.restore_all()
            at = Directed(later, seed=37)
            await at.director.resume()
            await at.quiet()
            kept = await at.whole(league)
            started = kept.league.season > 0
            if started:
                await at.leagues.join(GUILD, league.id, 20)
    reminders += len(at.reminded)
    await at.director.close()
    await at.parts.close()
    return whole, reminders, dying.left == 0


def course(whole: Whole) -> list[tuple[object, ...]]:
    """What happened, without ids and times."""
    pairings = [(each.week, each.places, each.how, each.got) for each in whole.pairings]
    return [*pairings, *[(each.number, each.user_id, each.substitute) for each in whole.places]]


_PLAYED: Final[list[Whole]] = []


@pytest.fixture(autouse=True)
def _looked_at_when_something_is_due(monkeypatch: pytest.MonkeyPatch) -> None:
    """And not each hour of its weeks as well: here nobody corrects the time of day."""
    monkeypatch.setattr(steps, "LONGEST_WAIT", WEEK / 1000)


@pytest.fixture
async def undisturbed() -> Whole:
    """The season without a kill; it is played once."""
    if not _PLAYED:
        whole, reminders, died = await played(WRITES + 1)
        assert (whole.league.season, whole.league.week, reminders, died) == (1, 0, whole.league.weeks, False)
        _PLAYED.append(whole)
    return _PLAYED[0]


@pytest.mark.parametrize("left", range(1, 1 + WRITES))
async def test_it_goes_on_after_a_kill_behind_any_write(left: int, undisturbed: Whole) -> None:
    whole, reminders, died = await played(left)
    assert died
    assert course(whole) == course(undisturbed)
    assert whole.league.weeks - 1 <= reminders <= whole.league.weeks, "nobody is reminded twice"
