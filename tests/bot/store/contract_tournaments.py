"""What every store does with tournaments."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.pairing.model import Format, Scoring
from bot.store.errors import Busy, Conflict
from bot.store.queries import begun_deletions
from bot.store.queries.begun_deletions import Deletion
from bot.store.store import Store
from cogs.replays.queries import ReplayQueries
from cogs.tournaments.queries import TournamentQueries
from cogs.tournaments.rows import (
    Ask,
    Correction,
    DealRow,
    EndedLeg,
    EntrantRow,
    Hold,
    How,
    Leg,
    PairingRow,
    Round,
    State,
    Tournament,
)
from tests.bot.store.rows import ANN, BOB, CAT, GAME, GUILD, match, result
from tests.known import there
from tests.shared_deals import begun_of

CUP = "cup1"
HERE = GUILD, CUP
LEG = "cupmatch"


def tournament(tournament_id: str = CUP, guild: int = GUILD) -> Tournament:
    """One that people join."""
    return Tournament(
        id=tournament_id,
        guild_id=guild,
        channel_id=910000000000000001,
        message_id=None,
        game=GAME,
        options='{"type":"Options","v":1}',
        clock="normal",
        format=Format.SWISS,
        rounds=2,
        most=8,
        legs=2,
        same_deal=True,
        scoring=Scoring.DIFFERENCE,
        rated=False,
        check_in=True,
        every=0,
        created_at=1000,
        closes_at=9000,
        host_id=CAT,
    )


ENTRANTS = (EntrantRow(1, ANN, 1100, True, 2), EntrantRow(2, BOB, 1200, True, 1), EntrantRow(3, 77, 1300, True, 3))
PAIRINGS = (PairingRow(1, 1, (BOB, ANN)), PairingRow(1, 2, (77,), How.BYE, ended_at=2000))
DEAL = DealRow(3, "cupdeal", 3, "{}", bytes(32), bytes(range(32)), 1, 0, 1)
PLAYING = replace(tournament(), state=State.PLAYING, round=1, began_at=1900)


async def began(store: Store, tournament_id: str = CUP, guild: int = GUILD) -> None:
    """A tournament in its first round, with one match in play."""
    queries, made = TournamentQueries(store), tournament(tournament_id, guild)
    await queries.create(made)
    await queries.put_entrants(guild, tournament_id, ENTRANTS)
    first = replace(PLAYING, id=tournament_id, guild_id=guild)
    await queries.begin_round(first, 2000, entrants=ENTRANTS, pairings=PAIRINGS, dealt=[DEAL])
    match_id = f"{LEG}{'' if tournament_id == CUP else tournament_id}"
    played = match(match_id, seats=(BOB, ANN), guild=guild)
    await queries.begin_leg(begun_of(played), tournament_id, (1, 1, 1))


class TournamentContract:
    """A part of `StoreContract`."""

    async def test_a_tournament_is_read_as_it_was_written(self, store: Store) -> None:
        queries = TournamentQueries(store)
        assert await queries.whole(*HERE) is None
        await began(store)
        whole = there(await queries.whole(*HERE))
        assert (whole.tournament, whole.tournament.host_id) == (PLAYING, CAT)
        assert (whole.entrants, whole.rounds) == (ENTRANTS, (Round(1, 2000, None),))
        first, bye = whole.pairings
        assert [replace(leg, began_at=0) for leg in first.legs] == [Leg(1, f"d-{LEG}", LEG, 0)]
        assert (replace(first, legs=()), bye) == PAIRINGS
        assert await queries.deals(*HERE) == [DEAL]
        assert await queries.find(*HERE) == PLAYING
        assert await queries.find(GUILD + 1, CUP) is None

    async def test_its_state_is_kept(self, store: Store) -> None:
        await began(store)
        queries = TournamentQueries(store)
        changed = replace(PLAYING, hold=Hold.VENUE, held_at=4, due_at=7, channel_id=5, message_id=6, event_id=1 << 61)
        left = replace(ENTRANTS[1], left_after=2, absent=(1, 3))
        await queries.put(changed, [left])
        whole = there(await queries.whole(*HERE))
        assert (whole.tournament, whole.entrants[1]) == (changed, left)
        assert (await queries.unfinished(), await queries.of_server(GUILD)) == ([changed], [changed])
        await queries.end_round(replace(changed, state=State.OVER, ended_at=9), 8)
        whole = there(await queries.whole(*HERE))
        assert whole.rounds == (Round(1, 2000, 8),)
        assert (await queries.unfinished(), await queries.of_server(GUILD)) == ([], [])
        assert await queries.ended_since(10) == []
        assert await queries.ended_since(9) == await queries.latest_over(GUILD) == [whole.tournament]

    async def test_a_round_and_a_match_begin_once(self, store: Store) -> None:
        await began(store)
        queries = TournamentQueries(store)
        with pytest.raises(Conflict):
            await queries.begin_round(PLAYING, 1, entrants=(), pairings=(), dealt=())
        for which in ((1, 1, 1), (1, 2, 1), (2, 1, 1)):
            with pytest.raises(Conflict):
                await queries.begin_leg(begun_of(match("again")), CUP, which)
        assert await store.match("again") is None
        await queries.add_deal(*HERE, replace(DEAL, seed=bytes([1] * 32)))
        assert await queries.deals(*HERE) == [DEAL]

    async def test_a_match_that_all_keep_private_is_private_to_who_did_not_play_it(self, store: Store) -> None:
        await began(store)
        queries, private = TournamentQueries(store), []
        await store.end_match(result(LEG, ranks=(2, 1)), None)
        for seat in (0, 1):
            await ReplayQueries(store).set_private_wish(LEG, seat, wanted=True)
            private.append([await queries.private_to_others(*HERE, user) for user in (ANN, CAT)])
        assert private == [[[], []], [[], [LEG]]]
        assert await queries.private_to_others(GUILD + 1, CUP, CAT) == []

    async def test_a_match_that_is_over_is_heard_until_its_leg_is(self, store: Store) -> None:
        await began(store)
        queries = TournamentQueries(store)
        assert await queries.ended_legs(*HERE) == []
        await store.end_match(result(LEG, ranks=(2, 1)), None)
        assert await queries.ended_legs(*HERE) == [EndedLeg(1, 1, 1, (2, 1))]
        for got in ((0, 2), (2, 0)):  # the first time counts
            await queries.end_leg(*HERE, (1, 1, 1), got)
        assert await queries.ended_legs(*HERE) == []
        for how in (How.PLAYED, How.LATE):
            await queries.end_pairing(*HERE, replace(PAIRINGS[0], how=how, ended_at=5))
        whole = there(await queries.whole(*HERE))
        assert (whole.pairings[0].how, whole.pairings[0].total()) == (How.PLAYED, (0, 2))

    async def test_a_correction_is_kept_with_who_made_it(self, store: Store) -> None:
        await began(store)
        queries, by = TournamentQueries(store), Correction(1, 1, 1, 50, CAT, (1, 1))
        await queries.correct(*HERE, replace(PAIRINGS[0], how=How.CORRECTED, got=(1, 1), ended_at=50), by)
        whole = there(await queries.whole(*HERE))
        assert (whole.pairings[0].how, whole.pairings[0].got, whole.corrections) == (How.CORRECTED, (1, 1), (by,))
        exported = (await queries.export(GUILD, CAT))["tournaments"]
        assert exported["hosted"] == [CUP]
        assert exported["corrections"] == [
            {"tournament": CUP, "round": 1, "pairing": 1, "at": 50, "half_points": [1, 1]}
        ]

    async def test_pairings_are_added_to_a_round_once(self, store: Store) -> None:
        await began(store)
        queries, more = TournamentQueries(store), (PairingRow(1, 3, (ANN, 77)), PairingRow(1, 4, (BOB,), How.BYE))
        await queries.add_pairings(*HERE, more)
        whole = there(await queries.whole(*HERE))
        assert whole.pairings[2:] == more
        assert [each.legs == () for each in whole.pairings] == [False, True, True, True]
        with pytest.raises(Conflict):
            await queries.add_pairings(*HERE, [PairingRow(1, 5, (ANN, BOB)), more[0]])
        whole = there(await queries.whole(*HERE))
        assert len(whole.pairings) == 4

    async def test_who_sits_at_a_table_is_settled_before_its_match(self, store: Store) -> None:
        await began(store)
        queries, large = TournamentQueries(store), PairingRow(1, 3, (ANN, 77, BOB))
        await queries.add_pairings(*HERE, [large])
        await queries.seat(*HERE, replace(large, people=(ANN, BOB)))
        assert there(await queries.whole(*HERE)).pairings[2] == replace(large, people=(ANN, BOB))
        for wrong in (PAIRINGS[0], replace(large, people=(ANN, 78))):  # its match has begun; nobody of it has this id
            with pytest.raises(Conflict):
                await queries.seat(*HERE, wrong)

    async def test_who_asks_whom_is_kept_until_it_begins_or_ends_or_they_leave(self, store: Store) -> None:
        queries = TournamentQueries(store)
        for cup in (CUP, "cup2", "cup3"):
            await queries.create(replace(tournament(cup), teams=True))
            await queries.put_entrants(GUILD, cup, ENTRANTS)
            for asked in (Ask(1, CAT), Ask(1, BOB), Ask(2, CAT)):  # the later one counts
                await queries.ask(GUILD, cup, asked)
        assert await queries.asks_of(GUILD, CAT) == [(CUP, 2), ("cup2", 2), ("cup3", 2)]
        await queries.begin(replace(PLAYING, teams=True), [replace(each, team=1) for each in ENTRANTS])
        await queries.put(replace(tournament("cup2"), state=State.CALLED_OFF, ended_at=3))
        await queries.remove_entrants(GUILD, "cup3", [2])
        wholes = [await queries.whole(GUILD, cup) for cup in (CUP, "cup2", "cup3")]
        assert [None if each is None else each.asks for each in wholes] == [(), (), (Ask(1, BOB),)]
        assert wholes[0] is not None
        assert [each.team for each in wholes[0].entrants] == [1, 1, 1]

    async def test_who_is_in_an_evening_enters_no_other_before_they_left_or_it_is_over(self, store: Store) -> None:
        queries, ann = TournamentQueries(store), ENTRANTS[0]
        evenings = [tournament("cup2"), tournament("cup3"), tournament("cup4", GUILD + 1)]
        for each in (tournament(), *evenings, replace(tournament("slow"), every=1)):
            await queries.create(each)
        assert await queries.enter(*HERE, ann)
        assert await queries.enter(GUILD, "slow", ann)
        assert await queries.enter(GUILD + 1, "cup4", ann)
        assert not await queries.enter(GUILD, "cup2", ann)
        left = replace(ann, left_after=1)
        await queries.put_entrants(*HERE, [left])
        assert await queries.enter(GUILD, "cup2", ann)
        assert not await queries.enter(*HERE, ann)
        assert there(await queries.whole(*HERE)).entrants == (left,)
        await queries.put(replace(evenings[0], state=State.OVER, ended_at=9))
        assert await queries.enter(GUILD, "cup3", ann)

    async def test_who_is_left_out_when_it_begins_is_gone(self, store: Store) -> None:
        queries = TournamentQueries(store)
        await queries.create(tournament())
        await queries.put_entrants(*HERE, ENTRANTS)
        await queries.remove_entrants(*HERE, [3])
        await queries.begin(PLAYING, ENTRANTS[:1])
        assert there(await queries.whole(*HERE)).entrants == ENTRANTS[:1]
        assert [found for found, _ in await queries.of_person(GUILD, ANN)] == [CUP]
        assert await queries.of_person(GUILD, BOB) == []

    async def test_who_is_asked_is_deleted_with_their_data(self, store: Store) -> None:
        queries = TournamentQueries(store)
        await queries.create(replace(tournament(), teams=True))
        await queries.put_entrants(*HERE, ENTRANTS)
        await queries.ask(*HERE, Ask(1, CAT))
        await store.anonymise(GUILD, CAT, -9, [])
        assert there(await queries.whole(*HERE)).asks == ()

    async def test_nobody_comes_back_whose_data_are_or_were_deleted_meanwhile(self, store: Store) -> None:
        await began(store)
        queries, theirs = TournamentQueries(store), ENTRANTS[2]
        deletion = Deletion(GUILD, theirs.user_id, -5)
        await store.database.write(lambda db: begun_deletions.begin(db, deletion))
        late = replace(theirs, number=4)
        for written in (queries.put_entrants(*HERE, [late]), queries.begin(PLAYING, ENTRANTS)):
            with pytest.raises(Busy):
                await written
        with pytest.raises(Busy):
            await queries.create(replace(tournament("cup2"), host_id=theirs.user_id))
        by = Correction(1, 1, 1, 50, theirs.user_id, (1, 1))
        with pytest.raises(Busy):
            await queries.correct(*HERE, replace(PAIRINGS[0], how=How.CORRECTED, got=(1, 1), ended_at=50), by)
        await store.anonymise(GUILD, theirs.user_id, -5, [])
        with pytest.raises(Busy):  # as it was read before
            await queries.put_entrants(*HERE, [replace(theirs, left_after=1)])
        whole = there(await queries.whole(*HERE))
        assert [each.user_id for each in whole.entrants] == [ANN, BOB, -5]
