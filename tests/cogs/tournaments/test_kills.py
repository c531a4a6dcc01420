"""A process may die between any two things that it writes: the next one finishes the tournament as if nothing was."""

from __future__ import annotations

from itertools import count, pairwise

import pytest

from bot.pairing.model import Format
from bot.play.live_match import LiveMatch
from cogs.tournaments.rounds import BREAK
from cogs.tournaments.rows import How, State, Whole
from tests.bot.play.parts import GUILD, Parts
from tests.cogs.dying import Dying
from tests.cogs.tournaments.directed import HOST, Directed, lower_wins

EVERY = 3
"""A commit kills behind every third write, and the night behind each."""


GAME = {2: "haymaker", 3: "champions"}
"""By how many sit at a table."""


def some_tie(match: LiveMatch) -> int:
    """Who has seat 0 wins between people with even ids, so they tie in two matches; else the lower id wins."""
    return 0 if all(user % 2 == 0 for user in match.seats) else lower_wins(match)


async def played(left: int, form: Format, *, teams: bool = False, seats: int = 2) -> tuple[Whole, int, bool]:
    """A tournament of four people or teams, or of five at tables, whose process dies when the director has written some
    times; how many matches there were; and whether it died before the end."""
    parts = Parts.fresh()
    directed = Directed(parts)
    await directed.director.resume()
    people = range(1, 9 if teams else 5 if seats == 2 else 6)
    arena = {"lasts": 2, "same_deal": False} if form is Format.ARENA else {}
    terms = {"legs": 1 if teams or arena or seats > 2 else 2, "teams": teams, "seats": seats, **arena}
    cup = await directed.opened_for([*people], most=10, format=form, game=GAME[seats], **terms)
    await directed.cups.close_joining(GUILD, cup.id, HOST)
    dying = Dying(directed.queries.database, left)
    directed.queries.database = dying  # type: ignore[assignment]
    while dying.left > 0 and not (await directed.whole(cup)).tournament.ended:
        await directed.quiet()
        await directed.play_round(some_tie)
        await parts.pass_time(BREAK)
    await directed.director.close()
    await parts.close()
    later = Parts(parts.store, parts.scheduler, seed=2)
    await later.restore_all()
    again = Directed(later, seed=37)
    await again.director.resume()
    await again.quiet()
    whole = await again.play(cup, some_tie)
    counted = "SELECT count(*) FROM matches"
    (matches,) = await parts.store.database.read(lambda db: db.execute(counted).fetchone())
    await again.director.close()
    await later.close()
    return whole, matches, dying.left == 0


def course(whole: Whole) -> list[tuple[object, ...]]:
    """What happened, without ids and times."""
    return [(each.round, each.people, each.how, [leg.got for leg in each.legs]) for each in whole.pairings]


@pytest.mark.slow  # four evenings for each write
@pytest.mark.nightly  # a third of the writes each
@pytest.mark.parametrize("first", range(1, 1 + EVERY))
async def test_it_goes_on_after_a_kill_behind_any_write(first: int) -> None:
    for form, teams, seats in (
        (Format.SWISS, False, 2),
        (Format.SINGLE, False, 2),
        (Format.SINGLE, True, 2),
        (Format.SWISS, False, 3),
    ):
        undisturbed, matches, died = await played(1000, form, teams=teams, seats=seats)
        assert (undisturbed.tournament.state, died) == (State.OVER, False)
        assert matches == sum(len(each.legs) for each in undisturbed.pairings)
        for left in count(first, EVERY):
            whole, begun, died = await played(left, form, teams=teams, seats=seats)
            assert (course(whole), begun) == (course(undisturbed), matches), f"{form} killed behind write {left}"
            assert whole.tournament.state is State.OVER
            assert all(each.ended_at is not None for each in whole.rounds)
            if not died:
                break
        assert left > 20


@pytest.mark.slow  # an evening for each write
@pytest.mark.nightly  # a third of the writes each
@pytest.mark.parametrize("first", range(1, 1 + EVERY))
async def test_an_arena_goes_on_after_a_kill_behind_any_write(first: int) -> None:
    for left in count(first, EVERY):
        whole, matches, died = await played(left, Format.ARENA)
        assert whole.tournament.state is State.OVER, f"killed behind write {left}"
        assert matches == sum(len(each.legs) for each in whole.pairings)
        begun = [each for each in whole.pairings if each.legs]
        assert {each.how for each in begun} == {How.PLAYED}
        dropped = [each.got for each in whole.pairings if not each.legs]  # the time was up before they began
        assert dropped in ([], [(0, 0)], [(0, 0), (0, 0)])
        for user in (1, 2, 3, 4):
            own = [each for each in begun if user in each.people]
            assert [each.number for each in own] == sorted({each.number for each in own})
            began = [(each.legs[0].began_at, each.ended_at or 0) for each in own]
            assert all(before[1] <= after[0] for before, after in pairwise(began))
        if not died:
            break
    assert left > 20
