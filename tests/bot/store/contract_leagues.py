"""What every store does with leagues."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.store.errors import Busy, Conflict
from bot.store.queries.invitations import InvitationState
from bot.store.store import Store
from cogs.leagues.queries import How, League, LeagueQueries, Member, Offer, PairingRow, Place
from tests.bot.store.rows import ANN, BOB, CAT, GAME, GUILD, invitation, opened, result
from tests.known import there

LEAGUE = "league1"
LEAGUE_HERE = GUILD, LEAGUE
PLACES = (Place(1, 1, ANN), Place(2, 1, BOB), Place(3, 1, CAT, substitute=True))
FIXTURES = (PairingRow(1, 1, 1, 1, 2), PairingRow(2, 2, 1, 3, 1))


def league(league_id: str = LEAGUE, guild: int = GUILD) -> League:
    """One that people join."""
    return League(
        id=league_id,
        guild_id=guild,
        channel_id=910000000000000001,
        message_id=None,
        game=GAME,
        options='{"type":"Options","v":1}',
        clock="normal",
        created_at=1000,
        host_id=CAT,
    )


SEASON = replace(league(), season=1, weeks=2, week=1, due_at=9000, changed_at=2000)


async def league_joined(store: Store, league_id: str, guild: int = GUILD) -> None:
    """A league that people have joined."""
    queries = LeagueQueries(store)
    await queries.create(league(league_id, guild))
    for at, user in enumerate((BOB, ANN, CAT), 1100):
        await queries.join(guild, league_id, Member(user, at))


async def league_began(store: Store, league_id: str = LEAGUE, guild: int = GUILD) -> None:
    """A league in its first season, whose first pairing has challenged."""
    queries = LeagueQueries(store)
    await league_joined(store, league_id, guild)
    begun = replace(SEASON, id=league_id, guild_id=guild)
    await queries.begin_season(begun, PLACES, FIXTURES)
    await queries.leave(guild, league_id, CAT)
    await queries.offer(begun, Offer(f"asked{league_id}", 1, 2, 2100))


class LeagueContract:
    """A part of `StoreContract`."""

    async def test_a_league_is_read_as_it_was_written(self, store: Store) -> None:
        queries = LeagueQueries(store)
        assert await queries.whole(*LEAGUE_HERE) is None
        await league_began(store)
        whole = there(await queries.whole(*LEAGUE_HERE))
        assert (whole.league, whole.league.host_id) == (SEASON, CAT)
        assert whole.members == (Member(BOB, 1100), Member(ANN, 1101))
        assert (whole.places, whole.pairings) == (PLACES, FIXTURES)
        assert whole.offers == (Offer("askedleague1", 1, 2, 2100),)
        assert await queries.unfinished() == [SEASON]
        assert await queries.of_server(GUILD) == [SEASON]
        await queries.put(replace(SEASON, message_id=5, reminded=1, ended_at=3000))
        assert (await queries.unfinished(), await queries.of_server(GUILD)) == ([], [])

    async def test_a_season_begins_once_and_a_week_ends_once(self, store: Store) -> None:
        await league_began(store)
        queries = LeagueQueries(store)
        with pytest.raises(Conflict):
            await queries.begin_season(SEASON, PLACES, ())
        ended = replace(FIXTURES[0], how=How.WALKOVER, got=(0, 2))
        second = replace(SEASON, week=2, due_at=10000)
        await queries.end_week(second, 1, [ended])
        with pytest.raises(Conflict):
            await queries.end_week(second, 1, [replace(ended, how=How.MISSED, got=(0, 0))])
        whole = there(await queries.whole(*LEAGUE_HERE))
        assert (whole.league, whole.pairings) == (second, (ended, FIXTURES[1]))

    async def test_what_became_of_a_challenge_is_read_with_it(self, store: Store) -> None:
        await league_began(store)
        queries = LeagueQueries(store)
        for offer_id in ("open", "declined", "played", "off"):
            await queries.offer(SEASON, Offer(offer_id, 1, 1, 2200))
        await store.add_invitation(invitation("open"))
        await store.add_invitation(invitation("declined"))
        await store.close_invitation("declined", InvitationState.DECLINED)
        for match_id, ranks in (("played", (2, 1)), ("off", ())):
            await opened(store, match_id)
            await store.end_match(result(match_id, ranks=ranks, counted=bool(ranks)), None)
        whole = there(await queries.whole(*LEAGUE_HERE))
        found = {each.id: each for each in whole.offers}
        assert (found["open"].state, found["open"].in_play) == (InvitationState.OPEN, False)
        assert found["declined"].state is InvitationState.DECLINED
        assert (found["played"].is_over, found["played"].ranks) == (True, (2, 1))
        assert (found["off"].is_over, found["off"].ranks) == (True, ())
        await queries.withdraw(SEASON, found["open"])
        whole = there(await queries.whole(*LEAGUE_HERE))
        assert "open" not in {each.id for each in whole.offers}

    async def test_a_place_changes_hands_and_an_ended_pairing_stays_as_it_is(self, store: Store) -> None:
        await league_began(store)
        queries = LeagueQueries(store)
        taken = replace(PLACES[0], user_id=77, substitute=True)
        with pytest.raises(Busy):  # somebody who isn't in it has been deleted
            await queries.record(SEASON, [], [taken])
        await queries.join(*LEAGUE_HERE, Member(77, 1200))
        ended = replace(FIXTURES[0], how=How.PLAYED, got=(1, 1))
        await queries.record(SEASON, [ended], [taken])
        await queries.record(SEASON, [replace(ended, how=How.LATE)], [])
        whole = there(await queries.whole(*LEAGUE_HERE))
        assert (whole.places[0], whole.pairings[0]) == (taken, ended)

    async def test_who_leaves_is_gone_and_their_place_stays(self, store: Store) -> None:
        await league_began(store)
        queries = LeagueQueries(store)
        await queries.join(*LEAGUE_HERE, Member(ANN, 9))  # they are in it
        await queries.leave(*LEAGUE_HERE, ANN)
        whole = there(await queries.whole(*LEAGUE_HERE))
        assert whole.members == (Member(BOB, 1100),)
        assert whole.is_vacant(whole.places[0])
