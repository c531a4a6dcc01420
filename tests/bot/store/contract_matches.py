"""The contract's part on matches."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from bot.match_readers import Derivable
from bot.ratings import NEW, rate
from bot.store.errors import Conflict, DuplicateInteraction, InvitationClosed
from bot.store.queries import database
from bot.store.queries.invitations import InvitationState, Origin
from bot.store.queries.matches import LostVenues, Obstacle, Salt, Suspension, TimeLeft, Unrated
from bot.store.store import Store
from bot.store.verification import first_altered
from tests.bot.store.rows import (
    ANN,
    BOB,
    CAT,
    GAME,
    GUILD,
    deal,
    invitation,
    match,
    notice,
    opened,
    played,
    record,
    result,
    standings_of,
    timer,
)
from tests.known import there
from tests.shared_deals import begun_at_once


class MatchContract:
    """Matches, their logs and their ends."""

    # -------------------------------------------------------------------------------------- seals and chains

    async def test_what_is_sealed_with_a_deal_and_its_salts_are_kept_as_they_were_given(self, store: Store) -> None:
        options, added = '{"a":"é"}', ((BOB, "é"), (ANN, "x"))
        seal = bytes(range(32, 64))  # which no seed of these rows opens: the store works nothing out
        asked = replace(
            invitation(), commitment=seal, deal_id="d9", sealed_options=options, rules_version=7, salts=added
        )
        await store.add_invitation(asked)
        assert await store.invitation("m1") == (asked, InvitationState.OPEN)
        salts = (Salt(bytes(32), "x"), Salt(bytes(range(32)), None))
        row = replace(match(), commitment=seal, deal_id="d9", sealed_options=options, salts=salts)
        await store.open_match(row, deal(), [])
        assert await store.match("m1") == row
        assert await store.live_matches() == [row]

    async def test_the_match_from_which_one_was_begun_is_kept_and_outlives_a_deleted_person(self, store: Store) -> None:
        origin = Origin("m0", 30, bytes(range(32)))
        await store.add_invitation(replace(invitation(), origin=origin))
        await store.open_match(replace(match(), origin=origin), deal(), [])
        assert await store.match("m1") == replace(match(), origin=origin)
        await store.append(record(1), (), result(counted=False))
        await store.anonymise(GUILD, ANN, -5, {"m1"})
        (found,) = await store.matches_of(GUILD, -5)
        assert found.origin == origin
        await store.purge_guild(GUILD)
        assert await store.match("m1") is None

    async def test_a_deal_can_be_played_again_with_the_seats_exchanged(self, store: Store) -> None:
        for name, seats in (("m1", (ANN, BOB)), ("m2", (BOB, ANN))):
            await store.add_invitation(replace(invitation(name), deal_id="same"))
            await store.open_match(replace(match(name, seats=seats), deal_id="same"), deal(name), [])
        await opened(store, "m3", guild=GUILD + 1)
        assert [row.seats for row in await store.matches_of_deal(GUILD, "same")] == [(ANN, BOB), (BOB, ANN)]
        assert await store.matches_of_deal(GUILD + 1, "same") == []

    async def test_what_was_agreed_about_a_match_that_begins_by_itself_is_kept(self, store: Store) -> None:
        for name, terms in {"m1": (True, True, False), "m2": (False, False, False), "m3": (False, True, True)}.items():
            shared, rated, reserved = terms
            row = replace(match(name), shared=shared, rated=rated, reserved=reserved)
            await begun_at_once(store, row)
            assert await store.match(name) == row
        with pytest.raises(Conflict):
            await begun_at_once(store, match("m1"))

    async def test_a_shared_deal_is_closed_while_a_match_of_its_server_has_it(self, store: Store) -> None:
        for name, guild in (("m1", GUILD), ("m2", GUILD), ("m3", GUILD + 1)):
            row = replace(match(name, guild=guild), deal_id="same", shared=True)
            await begun_at_once(store, row)
        await store.append(record(1, "m1"), (), result("m1"))
        may = {ANN: Derivable.HAND, CAT: Derivable.NOTHING}
        assert {who: await store.derivable(GUILD, "m1", who, 0) for who in may} == may
        assert [await store.finished_match(GUILD, "m1", who, 0) for who in may] == [None, None]
        await store.append(record(1, "m2"), (), result("m2"))
        assert {await store.derivable(GUILD, "m1", who, 0) for who in may} == {Derivable.ALL}
        assert await store.derivable(GUILD + 1, "m3", CAT, 0) is Derivable.NOTHING

    async def test_the_latest_finished_matches_of_a_person_are_the_last_to_end_first(self, store: Store) -> None:
        for name, seats in (("m1", (ANN, BOB)), ("m2", (BOB, ANN)), ("m3", (BOB, CAT))):
            await opened(store, name, seats=seats)
        await opened(store, "m4", guild=GUILD + 1)
        await store.set_board("m1", 911, 1, 1)
        for name in ("m3", "m4", "m2"):
            await store.append(record(1, name), (), result(name))
        assert await store.latest_finished(GUILD, ANN, 9) == [await store.match("m2")]
        await store.end_match(result("m1", ranks=(), counted=False), None)
        found = [row.id for row in await store.latest_finished(GUILD, ANN, 9)]
        assert found == ["m1", "m2"]
        assert [row.id for row in await store.latest_finished(GUILD, ANN, 1)] == ["m1"]
        assert [row.id for row in await store.latest_finished(GUILD, BOB, 2)] == ["m1", "m2"]
        assert [row.id for row in await store.latest_finished(GUILD, ANN, 9, 911)] == ["m1"]
        assert await store.latest_finished(GUILD, ANN, 9, 912) == []

    async def test_every_record_is_chained_to_the_one_before(self, store: Store) -> None:
        await opened(store, "m1")
        await opened(store, "m2")
        for seq in (1, 2):
            await store.append(record(seq, "m1", actor=None if seq == 2 else 0), ())
        await store.append(record(1, "m2", interaction=50), ())
        saved = await store.saved_matches(["m1", "m2"])
        for match_id, length in (("m1", 3), ("m2", 2)):
            log = await store.records(match_id)
            assert len(log) == length
            assert first_altered(match_id, log) is None
            assert [each.chain for each in saved[match_id].records] == [each.chain for each in log]

    async def test_what_a_caller_takes_for_the_chain_is_not_stored(self, store: Store) -> None:
        await store.add_invitation(invitation())
        await store.open_match(match(), replace(deal(), chain=bytes(32)), [])
        await store.append(replace(record(1), chain=bytes(32)), (), replace(result(), chain=bytes(32)))
        log = await store.records("m1")
        assert first_altered("m1", log) is None
        ended = await store.result("m1") or pytest.fail("no result")
        assert ended.chain == log[-1].chain

    async def test_the_last_value_of_the_chain_is_kept_with_the_result(self, store: Store) -> None:
        await played(store, "m1", (1, 2), seats=(ANN, BOB))
        await opened(store, "m2")
        await store.end_match(result("m2", ranks=(), counted=False), 51)
        for match_id in ("m1", "m2"):
            ended = await store.result(match_id) or pytest.fail("no result")
            log = await store.records(match_id)
            assert first_altered(match_id, log) is None
            assert ended.chain == log[-1].chain

    async def test_deleting_a_person_breaks_no_chain(self, store: Store) -> None:
        await played(store, "m1", (1, 2), seats=(ANN, BOB))
        before = await store.result("m1") or pytest.fail("no result")
        await store.anonymise(GUILD, ANN, -7, {"m1"})
        log = await store.records("m1")
        assert first_altered("m1", log) is None
        assert before.chain == log[-1].chain
        row = await store.match("m1") or pytest.fail("no match")
        assert row.seats == (-7, BOB)

    # -------------------------------------------------------------------------------------- opening

    async def test_a_match_is_opened_whole(self, store: Store) -> None:
        await store.add_invitation(invitation())
        await store.open_match(match(), deal(events="[1]"), [timer()])
        assert await store.match("m1") == match()
        assert await store.live_matches() == [match()]
        assert await store.records("m1") == [deal(events="[1]")]
        assert await store.timers("m1") == [timer()]
        assert await store.result("m1") is None
        assert await store.invitation("m1") == (invitation(), InvitationState.ACCEPTED)

    async def test_without_an_open_invitation_no_match_is_opened(self, store: Store) -> None:
        await store.add_invitation(invitation())
        await store.close_invitation("m1", InvitationState.CANCELLED)
        for match_id in ("m1", "uninvited"):
            with pytest.raises(InvitationClosed):
                await store.open_match(match(match_id), deal(match_id), [timer(match_id=match_id)])
        assert await store.live_matches() == []
        assert await store.records("m1") == []

    async def test_of_many_who_accept_at_once_one_does(self, store: Store) -> None:
        await store.add_invitation(invitation())
        opening = [store.open_match(match(), deal(interaction=50 + i), [timer()]) for i in range(10)]
        came = await asyncio.gather(*opening, return_exceptions=True)
        assert [type(one) for one in came].count(InvitationClosed) == 9
        assert came.count(None) == 1
        assert len(await store.records("m1")) == 1

    async def test_a_deal_repeats_no_interaction_and_leaves_the_invitation_open(self, store: Store) -> None:
        await opened(store, "m1")
        await store.append(record(1, interaction=50), ())
        await store.add_invitation(invitation("m2"))
        with pytest.raises(DuplicateInteraction):
            await store.open_match(match("m2"), deal("m2", interaction=50), [])
        assert await store.match("m2") is None
        assert await store.invitation("m2") == (invitation("m2"), InvitationState.OPEN)

    async def test_live_matches_come_by_age(self, store: Store) -> None:
        for name, opened_at in (("young", 30), ("old", 10), ("middle", 20)):
            await store.add_invitation(invitation(name))
            await store.open_match(match(name, opened_at=opened_at), deal(name), [])
        assert [row.id for row in await store.live_matches()] == ["old", "middle", "young"]

    # -------------------------------------------------------------------------------------- the log

    async def test_records_are_read_in_order_as_written(self, store: Store) -> None:
        await opened(store)
        moves = [
            record(1, interaction=71, events='["ä 🃏"]'),
            record(2, interaction=None, actor=None),
            record(3, interaction=(1 << 62) + 1, actor=1),
        ]
        for move in moves:
            await store.append(move, ())
        assert await store.records("m1") == [deal(), *moves]
        assert [await store.records("m1", first) for first in (1, len(moves), 99)] == [moves, moves[-1:], []]

    async def test_timers_become_exactly_those_given(self, store: Store) -> None:
        await opened(store, timers=(timer("1"), timer("x", name="block", deadline=4000)))
        assert await store.timers("m1") == [timer("x", name="block", deadline=4000), timer("1")]
        await store.append(record(1), [timer("2", deadline=7000), timer("1")])
        assert await store.timers("m1") == [timer("1"), timer("2", deadline=7000)]
        await store.append(record(2), ())
        assert await store.timers("m1") == []

    async def test_a_repeated_interaction_is_already_made_whatever_else_is_wrong(self, store: Store) -> None:
        await opened(store, "m1")
        await opened(store, "m2")
        await store.append(record(1, interaction=71), ())
        with pytest.raises(DuplicateInteraction):  # the same seq again
            await store.append(record(1, interaction=71), ())
        with pytest.raises(DuplicateInteraction):  # another match
            await store.append(record(1, "m2", interaction=71), ())
        await store.append(record(2, interaction=72), (), result())
        with pytest.raises(DuplicateInteraction):  # the match is over
            await store.append(record(3, interaction=72), ())
        assert len(await store.records("m2")) == 1

    @pytest.mark.parametrize("seq", [0, 1, 3])
    async def test_another_seq_than_the_next_is_a_conflict(self, store: Store, seq: int) -> None:
        await opened(store, timers=(timer("1"),))
        await store.append(record(1), [timer("2")])
        with pytest.raises(Conflict):
            await store.append(record(seq, interaction=80), [timer("3")])
        assert await store.records("m1") == [deal(), record(1)]
        assert await store.timers("m1") == [timer("2")]
        assert await store.match_of_interaction(80) is None

    async def test_of_many_who_write_one_seq_at_once_one_does(self, store: Store) -> None:
        await opened(store)
        came = await asyncio.gather(
            *[store.append(record(1, interaction=60 + i), [timer(str(i))]) for i in range(20)], return_exceptions=True
        )
        assert [type(one) for one in came].count(Conflict) == 19
        winner = came.index(None)
        assert await store.records("m1") == [deal(), record(1, interaction=60 + winner)]
        assert await store.timers("m1") == [timer(str(winner))]

    async def test_of_one_press_delivered_many_times_at_once_one_is_made(self, store: Store) -> None:
        await opened(store)
        came = await asyncio.gather(
            *[store.append(record(1, interaction=60), ()) for _ in range(20)], return_exceptions=True
        )
        assert [type(one) for one in came].count(DuplicateInteraction) == 19
        assert await store.records("m1") == [deal(), record(1, interaction=60)]

    @pytest.mark.parametrize("known", [True, False])
    async def test_no_record_for_a_match_that_is_not_live(self, store: Store, known: bool) -> None:
        if known:
            await played(store, "m1", (1, 2), seats=(ANN, BOB))
        before = await store.records("m1")
        with pytest.raises(Conflict):
            await store.append(record(len(before)), [timer()])
        assert await store.records("m1") == before
        assert await store.timers("m1") == []

    async def test_an_interaction_leads_to_its_match(self, store: Store) -> None:
        await store.add_invitation(invitation())
        await store.open_match(match(), deal(interaction=70), [])
        await store.append(record(1, interaction=71), ())
        await store.end_match(result(ranks=(), counted=False), 72)
        assert [await store.match_of_interaction(press) for press in (70, 71, 72, 73)] == ["m1", "m1", "m1", None]

    async def test_what_a_start_reads_of_several_matches_is_read_at_once(self, store: Store) -> None:
        await opened(store, "m1")
        await opened(store, "m2")
        await played(store, "over", (1, 2), seats=(ANN, BOB))
        await store.append(record(1, "m2"), ())
        found = await store.saved_matches(["m2", "m1", "none", "over"])
        logs = {match_id: [entry.seq for entry in saved.records] for match_id, saved in found.items()}
        assert logs == {"m2": [0, 1], "m1": [0], "none": [], "over": [0, 1]}
        assert found["m2"].records == (deal("m2"), record(1, "m2"))
        assert await store.saved_matches([]) == {}

    async def test_all_timers_come_by_deadline(self, store: Store) -> None:
        first, second, third = (timer(name, name, deadline=when) for name, when in (("m2", 10), ("m3", 20), ("m1", 30)))
        for row in (third, first, second):
            await opened(store, row.match_id, timers=(row,))
        assert await store.all_timers() == [first, second, third]

    # -------------------------------------------------------------------------------------- the end

    async def test_a_result_ends_the_match_with_its_last_record(self, store: Store) -> None:
        await opened(store, timers=(timer(),))
        await store.append(record(1), [timer("2")], result())
        assert await store.live_matches() == []
        assert await store.match("m1") == match()
        assert await store.result("m1") == result()
        assert await store.timers("m1") == []
        assert await store.all_timers() == []
        assert await store.records("m1") == [deal(), record(1)]

    async def test_a_counted_result_moves_the_standings_of_every_seat(self, store: Store) -> None:
        await played(store, "m1", (2, 1, 3), seats=(ANN, BOB, CAT))
        ann, bob, cat = rate([NEW] * 3, (2, 1, 3))
        found = await standings_of(store, (ANN, BOB, CAT))
        assert [(row.rank, row.user_id, row.rating) for row in found] == [(1, BOB, bob), (2, ANN, ann), (3, CAT, cat)]
        assert [(row.wins, row.losses, row.draws, row.matches) for row in found] == [
            (1, 0, 0, 1),
            (0, 1, 0, 1),
            (0, 1, 0, 1),
        ]

    async def test_an_uncounted_result_moves_no_standings(self, store: Store) -> None:
        await opened(store)
        await store.append(record(1), (), result(counted=False))
        assert await store.result("m1") == result(counted=False)
        assert await store.count_ranked(GUILD, GAME) == 0
        assert await store.games_played(GUILD) == []
        assert await store.rating_changes("m1") == ()
        assert (await store.player_record(GUILD, ANN)).matches == 0

    async def test_a_result_that_does_not_fit_the_seats_leaves_nothing(self, store: Store) -> None:
        await opened(store, timers=(timer(),))
        with pytest.raises(ValueError, match="one rank for each"):
            await store.append(record(1, interaction=71), (), result(ranks=(1, 2, 3)))
        assert await store.live_matches() == [match()]
        assert await store.result("m1") is None
        assert await store.records("m1") == [deal()]
        assert await store.timers("m1") == [timer()]
        assert await store.match_of_interaction(71) is None

    async def test_a_match_is_called_off_without_a_record(self, store: Store) -> None:
        await opened(store, timers=(timer(),))
        called_off = result(ranks=(), counted=False)
        await store.end_match(called_off, 71)
        assert await store.live_matches() == []
        assert await store.result("m1") == called_off
        assert await store.records("m1") == [deal()]
        assert await store.all_timers() == []
        assert await store.count_ranked(GUILD, GAME) == 0

    async def test_a_match_ends_once(self, store: Store) -> None:
        called_off = result(ranks=(), counted=False)
        await opened(store)
        await store.end_match(called_off, 71)
        with pytest.raises(DuplicateInteraction):
            await store.end_match(called_off, 71)
        with pytest.raises(Conflict):
            await store.end_match(called_off, 72)
        with pytest.raises(Conflict):
            await store.end_match(called_off, None)
        assert await store.match_of_interaction(72) is None

    async def test_a_press_that_made_a_move_does_not_call_off_too(self, store: Store) -> None:
        await opened(store)
        await store.append(record(1, interaction=71), ())
        with pytest.raises(DuplicateInteraction):
            await store.end_match(result(ranks=(), counted=False), 71)
        assert await store.live_matches() == [match()]

    async def test_a_press_that_called_off_a_match_does_nothing_in_another(self, store: Store) -> None:
        await opened(store, "m1")
        await opened(store, "m2")
        await store.add_invitation(invitation("m3"))
        await store.end_match(result(ranks=(), counted=False), 71)
        with pytest.raises(DuplicateInteraction):
            await store.append(record(1, "m2", interaction=71), ())
        with pytest.raises(DuplicateInteraction):
            await store.open_match(match("m3"), deal("m3", interaction=71), [])
        assert await store.records("m2") == [deal("m2")]
        assert await store.match("m3") is None
        assert await store.match_of_interaction(71) == "m1"

    async def test_what_ended_since_a_moment(self, store: Store) -> None:
        for name, ended_at in (("before", 100), ("at", 200), ("after", 300)):
            await opened(store, name)
            await store.append(record(1, name), (), replace(result(name), ended_at=ended_at))
        await opened(store, "live")
        assert [row.id for row in await store.matches_ended_since(200)] == ["after", "at"]

    # -------------------------------------------------------------------------------------- the state of a match

    async def test_the_board_is_noted(self, store: Store) -> None:
        await opened(store)
        await store.set_board("m1", 5, 6, 7)
        assert await store.match("m1") == replace(match(), channel_id=5, board_id=6, board_at=7)
        await store.set_board("m1", 5, None, None)
        assert await store.live_matches() == [replace(match(), channel_id=5, board_id=None, board_at=None)]

    async def test_timers_are_set_without_a_record(self, store: Store) -> None:
        await opened(store, timers=(timer("1"),))
        await opened(store, "other", timers=(timer(match_id="other"),))
        await store.set_timers("m1", (timer("2"), timer("x", name="block", deadline=4000)))
        assert await store.timers("m1") == [timer("x", name="block", deadline=4000), timer("2")]
        assert await store.timers("other") == [timer(match_id="other")]
        assert await store.records("m1") == [deal()]
        await store.append(record(1), (), result())
        with pytest.raises(Conflict):
            await store.set_timers("m1", (timer("3"),))
        assert await store.timers("m1") == []

    async def test_c_13_first_matches_are_counted_over_all_servers_and_a_deletion_gives_no_new_ones(
        self, store: Store
    ) -> None:
        for number, guild in enumerate((GUILD, GUILD + 1, GUILD)):
            new = await store.newcomers(GAME, (ANN, BOB), 3)
            assert set(new) == {ANN, BOB}
            name = f"m{number}"
            await store.add_invitation(invitation(name, guild=guild))
            row = replace(match(name, guild=guild), newcomers=(0,), reads_until=(None,))
            await store.open_match(row, deal(name), (), newcomers=[new[ANN]])
            assert await store.match(name) == row
            await store.end_match(result(name, ranks=(), counted=False), None)
        assert set(await store.newcomers(GAME, (ANN, BOB), 3)) == {BOB}
        assert set(await store.newcomers("other", (ANN, BOB), 3)) == {ANN, BOB}
        await store.anonymise(GUILD, ANN, -7, {"m0", "m2"})
        await store.anonymise(GUILD + 1, ANN, -8, {"m1"})
        assert set(await store.newcomers(GAME, (ANN, BOB), 3)) == {BOB}

    async def test_c_13_until_when_somebody_reads_is_kept_with_the_deadline(self, store: Store) -> None:
        row = await opened(store, newcomers=(1,), timers=(timer("1"),))
        await store.set_reading("m1", 1, 7000, [timer("1", deadline=9000)])
        assert await store.match("m1") == replace(row, reads_until=(7000,))
        assert await store.timers("m1") == [timer("1", deadline=9000)]

    async def test_c_15_what_banks_have_left_is_kept_with_the_act(self, store: Store) -> None:
        row = await opened(store, timers=(timer("1"),))
        await store.append(record(1), [timer("2", deadline=9000)], None, None, {1: 5000})
        row = replace(row, bank_left=(None, 5000))
        assert await store.match("m1") == row
        with pytest.raises(Conflict):
            await store.append(record(1), [timer("3")], None, None, {0: 1, 1: 1})
        assert await store.match("m1") == row
        await store.append(record(2), [timer("3")], None, None, {0: 0})
        assert await store.match("m1") == replace(row, bank_left=(0, 5000))
        assert await store.timers("m1") == [timer("3")]

    async def test_c_14_until_when_somebody_is_away_or_all_pause_is_kept_with_the_deadline(self, store: Store) -> None:
        row = await opened(store, timers=(timer("1"),))
        await store.set_away("m1", 1, 7000, [timer("1", deadline=9000)])
        row = replace(row, away_until=(None, 7000))
        assert await store.match("m1") == row
        assert await store.timers("m1") == [timer("1", deadline=9000)]
        await store.set_rest("m1", 8000, [timer("1", deadline=10_000)])
        assert await store.match("m1") == replace(row, rests_until=8000)
        assert await store.timers("m1") == [timer("1", deadline=10_000)]
        await store.end_match(result("m1", ranks=(), counted=False), None)
        with pytest.raises(Conflict):
            await store.set_away("m1", 1, 9000, [timer("2")])
        with pytest.raises(Conflict):
            await store.set_rest("m1", 9000, [timer("2")])

    async def test_practice_is_private_until_it_is_shown_and_others_are_as_one_that_never_was(
        self, store: Store
    ) -> None:
        row = await opened(store, alone=True)

        async def may(who: int) -> Derivable:
            return await store.derivable(GUILD, "m1", who, 0)

        assert (await may(ANN), await may(CAT)) == (Derivable.HAND, Derivable.NOTHING)
        await store.show_match("m1", 5)
        assert await store.match("m1") == replace(row, on_board=True, channel_id=5)
        assert (await may(ANN), await may(CAT)) == (Derivable.HAND, Derivable.TABLE)
        await store.append(record(1), (), result())
        assert (await may(ANN), await may(CAT)) == (Derivable.ALL, Derivable.ALL)
        await opened(store, "other", alone=True)
        await store.append(record(1, "other"), (), result("other"))
        assert await store.derivable(GUILD, "other", CAT, 0) is Derivable.NOTHING
        assert await store.derivable(GUILD, "other", ANN, 0) is Derivable.ALL
        await opened(store, "with others")
        for match_id in ("other", "with others"):
            with pytest.raises(Conflict):
                await store.show_match(match_id, 5)

    async def test_a_match_is_paused_and_continued(self, store: Store) -> None:
        await opened(store)
        await store.set_paused("m1", 4711)
        assert await store.match("m1") == replace(match(), paused=4711)
        await store.set_paused("m1", None)
        assert await store.match("m1") == match()

    async def test_a_suspended_match_has_no_timers_and_keeps_the_time_of_its_suspension(self, store: Store) -> None:
        await opened(store, timers=(timer("1"), timer("2")))
        await opened(store, "m2", timers=(timer(match_id="m2"),))
        await store.suspend_match("m1", 7000, Suspension.NO_ACCESS)
        assert await store.match("m1") == replace(match(), suspended_at=7000, suspended_why=Suspension.NO_ACCESS)
        assert await store.timers("m1") == []
        await store.suspend_match("m1", 8000, Suspension.REMOVED)
        assert (await store.live_matches())[0] == replace(match(), suspended_at=7000, suspended_why=Suspension.REMOVED)
        for why in Suspension:
            await store.suspend_match("m1", 9000, why)
            assert there(await store.match("m1")).suspended_why is why
        assert await store.match("m2") == match("m2")
        assert await store.timers("m2") == [timer(match_id="m2")]

    async def test_what_is_known_of_lost_places_outlasts_the_suspension(self, store: Store) -> None:
        await opened(store, timers=(timer(),))
        lost = LostVenues(7, (Suspension.NO_ACCESS, Suspension.REMOVED), (TimeLeft("turn", "7", 12_000),))
        await store.suspend_match("m1", 7000, Suspension.REMOVED, lost)
        suspended = replace(match(), suspended_at=7000, suspended_why=Suspension.REMOVED, lost_places=lost)
        assert await store.match("m1") == suspended
        await store.resume_match("m1", 5, [])
        row = there(await store.match("m1"))
        assert row.lost_places == lost
        await store.suspend_match("m1", 8000, Suspension.REMOVED)
        row = there(await store.match("m1"))
        assert row.lost_places == LostVenues()

    @pytest.mark.parametrize("why", [why for why in Obstacle if why is not Obstacle.NO_SENDING])
    async def test_the_first_reason_why_a_match_does_not_count_is_kept(self, store: Store, why: Obstacle) -> None:
        await opened(store)
        await store.append(record(1), [], unrated=Unrated(1, why))
        row = there(await store.match("m1"))
        assert row.unrated == Unrated(1, why)
        await store.append(record(2), [], result(counted=False), unrated=Unrated(0, Obstacle.GONE))
        row = there(await store.match("m1"))
        assert row.unrated == Unrated(1, why)

    async def test_a_suspended_match_is_resumed_elsewhere_with_new_timers(self, store: Store) -> None:
        await opened(store, timers=(timer(),))
        await store.suspend_match("m1", 7000, Suspension.CHANNEL_GONE)
        await store.resume_match("m1", 5, [timer("1", deadline=9000)])
        assert await store.match("m1") == replace(match(), channel_id=5, board_id=None, board_at=None)
        assert await store.timers("m1") == [timer("1", deadline=9000)]

    async def test_of_many_who_resume_at_once_one_does(self, store: Store) -> None:
        await opened(store)
        await store.suspend_match("m1", 7000, Suspension.CHANNEL_GONE)
        resuming = [store.resume_match("m1", channel, [timer(deadline=channel)]) for channel in range(1, 9)]
        came = await asyncio.gather(*resuming, return_exceptions=True)
        assert came.count(None) == 1
        assert [type(one) for one in came].count(Conflict) == 7
        row = there(await store.match("m1"))
        assert await store.timers("m1") == [timer(deadline=row.channel_id)]

    async def test_a_finished_or_unknown_match_is_neither_suspended_nor_resumed(self, store: Store) -> None:
        await played(store, "m1", (1, 2), seats=(ANN, BOB))
        for name in ("m1", "unknown"):
            with pytest.raises(Conflict):
                await store.suspend_match(name, 7000, Suspension.REMOVED)
            with pytest.raises(Conflict):
                await store.resume_match(name, 5, [])
        assert await store.match("m1") == match()

    async def test_a_match_that_ends_is_no_longer_suspended(self, store: Store) -> None:
        await opened(store)
        await store.suspend_match("m1", 7000, Suspension.CHANNEL_GONE)
        assert len(await store.live_matches()) == 1
        await store.append(record(1), (), result())
        assert await store.match("m1") == match()
        assert await store.result("m1") == result()

    async def test_seats_agree_to_call_off(self, store: Store) -> None:
        await opened(store)
        await store.agree_to_call_off("m1", 1)
        assert await store.match("m1") == replace(match(), agreed=(1,))
        await store.agree_to_call_off("m1", 0)
        await store.agree_to_call_off("m1", 1)
        assert await store.live_matches() == [replace(match(), agreed=(0, 1))]

    async def test_a_seat_has_one_notice(self, store: Store) -> None:
        await opened(store)
        await store.add_notice(notice(seat=0))
        await store.add_notice(notice(seat=1, message=1))
        await store.add_notice(notice(seat=1, message=2))
        assert await store.notices() == [notice(seat=0), notice(seat=1, message=2)]
        await store.remove_notice("m1", 0)
        await store.remove_notice("m1", 0)
        assert await store.notices() == [notice(seat=1, message=2)]

    async def test_a_notice_has_the_mark_of_its_message(self, store: Store) -> None:
        await opened(store)
        first, second = replace(notice(message=1), mark=b"first"), notice(message=2)
        await store.add_notice(first)
        assert await store.notices() == [first]
        for mark in (None, b"again"):
            await store.mark_notice(replace(first, mark=mark))
            assert await store.notices() == [replace(first, mark=mark)]
        await store.add_notice(second)
        await store.mark_notice(first)
        assert await store.notices() == [second], "another message took its place"
        await store.remove_notice("m1", 1)
        await store.mark_notice(second)
        assert await store.notices() == [], "a removed one doesn't come back"

    async def test_a_notice_outlives_its_match_until_it_is_removed(self, store: Store) -> None:
        await opened(store)
        await store.add_notice(notice())
        await store.append(record(1), (), result())
        assert await store.notices() == [notice()]

    @pytest.mark.parametrize("page", [1, 2, 500])
    async def test_a_persons_live_matches_are_those_of_all_servers_by_age(
        self, store: Store, monkeypatch: pytest.MonkeyPatch, page: int
    ) -> None:
        monkeypatch.setattr(database, "MANY", page)
        await played(store, "m1", (1, 2), seats=(ANN, BOB))
        for name, seats, guild in (("m5", (CAT, ANN), GUILD), ("m3", (BOB, CAT), GUILD), ("m4", (ANN, BOB), GUILD + 1)):
            await opened(store, name, seats=seats, guild=guild)
        await opened(store, "m2", seats=(ANN, CAT))
        await store.end_match(result("m2", ranks=(), counted=False), None)
        assert await store.live_matches_of(ANN) == [match("m4", guild=GUILD + 1), match("m5", seats=(CAT, ANN))]
        assert await store.live_matches_of(ANN + 10) == []

    async def test_a_persons_matches_are_those_of_the_server_by_age(self, store: Store) -> None:
        await played(store, "m1", (1, 2), seats=(ANN, BOB))
        await opened(store, "m2", seats=(CAT, ANN))
        await opened(store, "m3", seats=(BOB, CAT))
        await opened(store, "m4", guild=GUILD + 1)
        assert await store.matches_of(GUILD, ANN) == [match("m1"), match("m2", seats=(CAT, ANN))]

    # -------------------------------------------------------------------------------------- selections

    async def test_the_latest_selection_is_kept_for_its_seat_and_question(self, store: Store) -> None:
        await opened(store)
        assert await store.selection("m1", 0, 7) is None
        await store.save_selection("m1", 0, 7, "attack.abc")
        await store.save_selection("m1", 1, 7, "block.1")
        assert await store.selection("m1", 0, 7) == "attack.abc"
        assert await store.selection("m1", 1, 7) == "block.1"
        assert await store.selection("m1", 0, 8) is None
        await store.save_selection("m1", 0, 8, "attack.z")
        assert await store.selection("m1", 0, 8) == "attack.z"
        assert await store.selection("m1", 0, 7) is None
        assert await store.latest_selection("m1", 0) == (8, "attack.z")
        assert await store.latest_selection("m1", 1) == (7, "block.1")
        assert await store.latest_selection("m1", 2) is None
        assert await store.latest_selection("unknown", 0) is None

    async def test_selections_are_deleted_when_the_match_ends(self, store: Store) -> None:
        await opened(store)
        await store.save_selection("m1", 0, 7, "attack.abc")
        await store.append(record(1), (), result())
        assert await store.selection("m1", 0, 7) is None
        await store.save_selection("m1", 0, 7, "attack.abc")
        await store.save_selection("unknown", 0, 7, "attack.abc")
        assert await store.selection("m1", 0, 7) is None
        assert await store.selection("unknown", 0, 7) is None
