"""What a match counts for in which a computer played an absent seat on (C-8)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.play.computers.stand_ins import NOBODY_ABSENT, Holder, SeatHolders, TakenOver, counted_ranks
from bot.play.counting import Ending, result_of
from bot.play.deals.match_export import export, read, write
from bot.play.deals.proof import judge
from bot.play.live_match import LiveMatch
from bot.play.match_state import codec
from bot.store.queries.invitations import StandIn
from bot.store.queries.matches import Record
from bot.store.special_ids import computer_id
from engines import GAMES
from engines.game import Outcome, Resign
from tests.bot.play.parts import ANN, BOB, CAT, GUILD, Parts, an_act, on_turn
from tests.bot.play.test_stand_in import MODES, move, press, run_out
from tests.bot.store import rows
from tests.known import there


async def ended(parts: Parts, stand_in: StandIn, *, own: bool) -> tuple[LiveMatch, int]:
    """A match in which the computer played a seat on, for most of its acts unless they are its `own` player's; the
    other player then resigned."""
    match = await parts.opened(stand_in=stand_in)
    seat = on_turn(match)
    if not own:
        await press(parts, match, seat, "let_play")
    for _ in range(4):
        actor = on_turn(match)
        computer = "normal 1" if match.has_computer(actor) else None
        await match.act(actor, an_act(match), computer=computer)
    if own:
        await press(parts, match, seat, "let_play")
    await match.act(1 - seat, Resign())
    parts.clock.settle(match)
    assert match.result is not None
    return match, seat


def test_a_match_with_a_computer_at_the_table_counts_for_nobody() -> None:
    people = rows.match(seats=(ANN, BOB, CAT))
    ending = Ending(Outcome("knockout", (1, 2, 3)), NOBODY_ABSENT, 99, frozenset(range(3)))
    for seats, counts in ((people.seats, True), ((ANN, BOB, computer_id("easy")), False)):
        row = replace(people, seats=seats)
        assert result_of(row, GAMES[row.game].info, ending) == ((1, 2, 3), counts)


@pytest.mark.parametrize("own", [True, False])
async def test_c_8_unrated_a_match_does_not_count_once_a_computer_took_over(parts: Parts, *, own: bool) -> None:
    match, seat = await ended(parts, StandIn.UNRATED, own=own)
    assert match.result is not None
    assert (match.result.counted, match.result.ranks[seat]) == (False, 1)
    assert await parts.store.games_played(GUILD) == []


async def lost(parts: Parts, *, by_choice: bool, back: bool, stand_in: StandIn = StandIn.UNRATED) -> LiveMatch:
    """A match in which the computer played a seat on, because its player chose it or their time ran out, perhaps until
    they took it back; then it resigned."""
    match = await parts.opened(stand_in=stand_in)
    for _ in range(4):
        await move(parts, match)
    seat = on_turn(match)
    await (press(parts, match, seat, "let_play") if by_choice else run_out(parts))
    if back:
        await press(parts, match, seat, "take_back")
    await match.act(seat, Resign())
    parts.clock.settle(match)
    assert there(match.result).ranks[seat] == 2
    return match


@pytest.mark.parametrize("back", [True, False])
async def test_c_8_unrated_a_seat_handed_over_by_choice_that_loses_has_lost(parts: Parts, *, back: bool) -> None:
    match = await lost(parts, by_choice=True, back=back)
    assert match.result is not None
    assert match.result.counted
    (loser,) = match.holders.lost_by_choice(match.result.ranks)
    standings = [await parts.store.standing(GUILD, "haymaker", user) for user in match.seats]
    assert [standing and standing.wins for standing in standings] == [int(seat != loser) for seat in (0, 1)]


@pytest.mark.parametrize("back", [True, False])
async def test_c_8_unrated_a_seat_whose_time_ran_out_and_that_loses_does_not_count(parts: Parts, *, back: bool) -> None:
    match = await lost(parts, by_choice=False, back=back)
    assert not there(match.result).counted


@pytest.mark.parametrize("back", [True, False])
async def test_c_8_handing_over_when_lost_never_beats_playing_on(parts: Parts, *, back: bool) -> None:
    """Ratings after a lost match in which the loser handed over by choice, and after the same one played on."""
    found = []
    for by_choice in (True, False):
        here = Parts.fresh()
        try:
            if by_choice:
                match = await lost(here, by_choice=True, back=back)
            else:
                match = await lost_without_stand_in(here)
            assert match.result is not None
            loser = match.result.ranks.index(2)
            found.append((await here.store.standing(GUILD, "haymaker", match.seats[loser]), match.result.counted))
        finally:
            await here.close()
    (handed_over, counted), (played_on, counted_too) = found
    assert counted
    assert counted_too
    assert handed_over is not None
    assert played_on is not None
    assert (handed_over.rating, handed_over.wins, handed_over.losses) == (played_on.rating, 0, 1)


async def lost_without_stand_in(parts: Parts) -> LiveMatch:
    """The match of `lost`, but its player resigns without a hand-over."""
    match = await parts.opened(stand_in=StandIn.UNRATED)
    for _ in range(4):
        await move(parts, match)
    await match.act(on_turn(match), Resign())
    parts.clock.settle(match)
    return match


async def test_c_8_unrated_a_match_that_is_won_or_drawn_after_a_hand_over_by_choice_does_not_count() -> None:
    holders = SeatHolders((Holder(), Holder())).after(3, 0, TakenOver((0,), "normal", (1,)), computer=False)
    assert holders.undone((1, 2), StandIn.UNRATED)
    assert holders.undone((1, 1), StandIn.UNRATED)
    assert not holders.undone((2, 1), StandIn.UNRATED)
    assert not holders.undone((1, 2), StandIn.RATED)
    late = SeatHolders((Holder(), Holder())).after(3, None, TakenOver((0,), "normal", (1,)), computer=False)
    assert late.undone((2, 1), StandIn.UNRATED)
    both = holders.after(5, None, TakenOver((1,), "normal", (0,)), computer=False)
    assert both.undone((1, 2), StandIn.UNRATED)  # the one who lost had not chosen it


@pytest.mark.parametrize("stand_in", MODES)
async def test_c_8_a_match_counts_if_no_computer_ever_took_over(parts: Parts, stand_in: StandIn) -> None:
    match = await parts.opened(stand_in=stand_in)
    for _ in range(4):
        await match.act(on_turn(match), an_act(match))
    await match.act(0, Resign())
    assert match.result is not None
    assert (match.result.counted, match.result.ranks) == (True, (2, 1))


async def test_c_8_rated_the_result_is_the_players_who_made_half_of_the_acts(parts: Parts) -> None:
    match, seat = await ended(parts, StandIn.RATED, own=True)
    assert match.result is not None
    assert (match.result.counted, match.result.ranks[seat]) == (True, 1)
    assert there(await parts.store.standing(GUILD, "haymaker", match.seats[seat])).wins == 1


async def test_c_8_rated_who_made_less_than_half_counts_as_resigned(parts: Parts) -> None:
    match, seat = await ended(parts, StandIn.RATED, own=False)
    assert match.result is not None
    assert there(match.position.outcome).ranks[seat] == 1
    assert (match.result.kind, match.result.counted, match.result.ranks[seat]) == ("resignation", True, 2)
    assert there(await parts.store.standing(GUILD, "haymaker", match.seats[1 - seat])).wins == 1


async def test_c_8_handing_a_seat_over_makes_no_match_long_enough_to_count(parts: Parts) -> None:
    match = await parts.opened(stand_in=StandIn.RATED)
    seat = on_turn(match)
    await move(parts, match)
    await press(parts, match, seat, "let_play")
    await press(parts, match, seat, "take_back")
    await match.act(1 - seat, Resign())  # who has neither acted nor looked at their hand (C-10)
    assert match.result is not None
    assert match.position.acts >= match.game.info.shortest_counted
    assert not match.result.counted


@pytest.mark.parametrize("own", [True, False])
@pytest.mark.parametrize("stand_in", MODES)
async def test_c_8_the_result_follows_from_the_log_and_its_file(parts: Parts, stand_in: StandIn, *, own: bool) -> None:
    match, _ = await ended(parts, stand_in, own=own)
    row, result = there(await parts.store.match(match.id)), there(await parts.store.result(match.id))
    records = await parts.store.records(match.id)
    assert judge(row, records, result, 0).fits
    file = read(write(export(row, records, result, 0)))
    assert file.row.stand_in is stand_in
    assert judge(file.row, file.records, file.result, file.sealed_at).fits
    turned = replace(result, ranks=result.ranks[::-1])
    assert not judge(row, records, turned, 0).fits


# ---------------------------------------------------------------------------------------------- the ranks


def forfeits(*forfeited: tuple[int, int, tuple[int, ...]], seats: int) -> SeatHolders:
    """Seats that count as resigned: each with the number of the record, and the other seats that were in then."""
    holders = [Holder() for _ in range(seats)]
    for seat, taken, others in forfeited:
        holders[seat] = Holder("normal", own=1, computed=2, taken=taken, others=others)
    return SeatHolders(tuple(holders), 9)


@pytest.mark.parametrize(
    ("played", "forfeited", "ranks"),
    [
        ((1, 2), (), (1, 2)),
        ((1, 2), ((0, 5, (1,)),), (2, 1)),
        ((2, 1), ((0, 5, (1,)),), (2, 1)),
        ((1, 1), ((0, 5, (1,)),), (2, 1)),  # a draw
        ((1, 2), ((0, 5, (1,)), (1, 7, (0,))), (2, 1)),  # who was taken over later left later
        ((1, 2, 3), ((0, 5, (1, 2)),), (3, 1, 2)),
        ((1, 2, 3), ((1, 5, (0, 2)),), (1, 3, 2)),
        ((1, 2, 3), ((1, 5, (0,)),), (1, 2, 3)),  # the third had left before
        ((1, 2, 3, 4), ((0, 5, (1, 2, 3)), (1, 7, (0, 2, 3))), (4, 3, 1, 2)),
        ((1, 2, 2), ((0, 5, (1, 2)),), (3, 1, 1)),  # nobody else had won
        ((1, 2, 2), ((1, 5, (0, 2)),), (1, 3, 2)),  # C-12: who left is below those who played on
    ],
)
def test_c_8_ranks_are_as_if_resigned_when_the_computer_took_over(
    played: tuple[int, ...], forfeited: tuple[tuple[int, int, tuple[int, ...]], ...], ranks: tuple[int, ...]
) -> None:
    holders = forfeits(*forfeited, seats=len(played))
    assert counted_ranks(Outcome("any", played), holders, StandIn.RATED) == ranks
    assert counted_ranks(Outcome("any", played), holders, StandIn.UNRATED) == played


@pytest.mark.parametrize(("own", "computed", "counts"), [(1, 1, True), (1, 2, False), (0, 0, True), (3, 2, True)])
def test_c_8_half_of_the_acts_is_enough(own: int, computed: int, *, counts: bool) -> None:
    holders = SeatHolders((Holder(), Holder()))
    for _ in range(own):
        holders = holders.after(1, 0, object(), computer=False)
    holders = holders.after(2, None, TakenOver((0,), "normal", (1,)), computer=False)
    for _ in range(computed):
        holders = holders.after(3, 0, object(), computer=True)
    assert (holders.forfeited == ()) is counts
    assert holders.acts == own + computed


def test_c_8_a_log_without_stand_in_has_no_holders() -> None:
    written = codec("haymaker")
    record = Record("m", 1, None, 0, written.encode(Resign()), "[]", 1)
    row = rows.match()
    assert SeatHolders.of(row, [record], written) is NOBODY_ABSENT
    assert SeatHolders.of(replace(row, stand_in=StandIn.RATED), [record], written).seats == (Holder(), Holder())
