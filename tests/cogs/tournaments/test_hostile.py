"""Teams and arenas in which people join, leave and come back as they like, and hosts pause: laws that hold whatever
happens."""

from __future__ import annotations

import random
from contextlib import suppress

import pytest

from bot.pairing import standings
from bot.pairing.model import Format
from bot.play.live_match import LiveMatch
from bot.play.refusals import Refused
from cogs.tournaments.matches import MINUTE
from cogs.tournaments.rounds import BREAK
from cogs.tournaments.rows import State, Tournament, Whole
from tests.bot.play.parts import GUILD, Parts
from tests.cogs.tournaments.directed import HOST, Directed

NINE = (1, 2, 3, 4, 5, 6, 7, 8, 9)


async def something(directed: Directed, cup: Tournament, rng: random.Random) -> None:
    """What somebody does, or tries."""
    user = rng.choice((*NINE, 20, 21))
    cups, here = directed.cups, (GUILD, cup.id)
    with suppress(Refused):
        match rng.randrange(8):
            case 0:
                await cups.pause(*here, HOST)
            case 1 | 2:
                await cups.resume(*here, HOST, cup.channel_id)
            case 3 | 4:
                await cups.leave(*here, user)
            case 5 | 6:
                await cups.back(*here, user)
            case _:
                await cups.join(*here, user)
    await directed.quiet()


async def played(directed: Directed, cup: Tournament, rng: random.Random) -> Whole:
    """The tournament after its end."""

    def wins(_: LiveMatch) -> int:
        return rng.choice((0, 1))

    for _ in range(80):
        if (whole := await directed.whole(cup)).tournament.ended:
            return whole
        await something(directed, cup, rng)
        for match in rng.sample(directed.playing(), k=len(directed.playing()) // 2 + 1) if directed.playing() else ():
            await directed.after(directed.end(match, wins(match)))
        users = [user for match in directed.playing() for user in match.seats]
        assert len(users) == len({*users})
        await directed.pass_time(rng.choice((BREAK, 3 * MINUTE)))
    with suppress(Refused):
        await directed.cups.resume(GUILD, cup.id, HOST, cup.channel_id)
    await directed.quiet()
    return await directed.play(cup, wins)


def check(whole: Whole) -> None:
    """What holds at the end of every tournament."""
    assert whole.tournament.state is State.OVER
    assert all(each.ended_at is not None for each in whole.rounds)
    assert all(each.how is not None for each in whole.pairings)
    assert all(leg.got is not None for each in whole.pairings for leg in each.legs)
    rows = standings.ranked(whole.tournament.format, whole.model, whole.played, whole.tournament.scoring)
    given = sum(sum(each.points()) for each in whole.played)
    assert sum(row.points for row in rows) == pytest.approx(given)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("form", [Format.SWISS, Format.ROUND_ROBIN, Format.SINGLE, Format.DOUBLE])
async def test_every_tournament_of_teams_ends(parts: Parts, form: Format, seed: int) -> None:
    rng = random.Random(f"{form} {seed}")
    directed = Directed(parts, seed)
    await directed.director.resume()
    cup = await directed.opened_for(NINE, teams=True, format=form, most=10)
    await directed.cups.ask(GUILD, cup.id, 1, 9)
    await directed.cups.ask(GUILD, cup.id, 9, 1)
    await directed.after(directed.cups.close_joining(GUILD, cup.id, HOST))
    whole = await played(directed, cup, rng)
    check(whole)
    for each in whole.pairings:
        tables = whole.tables(each)
        assert len(tables) == 2
        assert {user for table in tables for user in table.people} == {
            row.user_id for side in {whole.side(user) for user in each.people} for row in whole.members(side)
        }
    await directed.director.close()


@pytest.mark.slow  # plays an hour
@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(4))
async def test_every_arena_ends_and_nobody_who_left_is_paired(parts: Parts, seed: int) -> None:
    rng = random.Random(seed)
    directed = Directed(parts, seed)
    await directed.director.resume()
    cup = await directed.opened_for(NINE, format=Format.ARENA, lasts=60, same_deal=False, most=10)
    await directed.after(directed.cups.close_joining(GUILD, cup.id, HOST))
    begin_leg, there = directed.queries.begin_leg, True

    async def begin(begun: object, tournament_id: str, which: tuple[int, int, int]) -> None:
        nonlocal there
        whole = await directed.whole(cup)
        pairing = next(each for each in whole.pairings if each.number == which[1])
        there = there and {each.user_id for each in whole.people} >= {*pairing.people}
        await begin_leg(begun, tournament_id, which)  # type: ignore[arg-type]

    directed.queries.begin_leg = begin  # type: ignore[method-assign]
    whole = await played(directed, cup, rng)
    check(whole)
    assert there
    assert len(whole.pairings) > 20
    assert len({leg.deal for each in whole.pairings for leg in each.legs}) == len(
        [leg for each in whole.pairings for leg in each.legs]
    )
    await directed.director.close()
