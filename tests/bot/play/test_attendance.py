"""What is kept of how people attended a match that they played, and who is excused."""

from __future__ import annotations

import random

import pytest

from bot.budgets import QUIET_AFTER
from bot.games import GAMES
from bot.play import live_match
from bot.play.live_match import LiveMatch
from bot.play.matchmaking.invitations import Proposal, Terms
from bot.play.refusals import Unsaved
from bot.play.reliability import attendances, left_early
from bot.store.errors import NotSaved
from bot.store.queries.attendances import Attendance, Stay
from bot.store.queries.invitations import InvitationKind, StandIn
from bot.store.queries.matches import LostVenues, Obstacle, Suspension, Unrated
from engines.game import Resign
from laws.play import random_act
from tests.bot.play.parts import ANN, BOB, CAT, CHANNEL, GUILD, MESSAGE, Parts, an_act, on_turn, press_ids
from tests.bot.store.memory_store import MemoryStore
from tests.known import there

USERS = (ANN, BOB, CAT)
MOST_SEEDS = 40
"""Matches until somebody has left one: in a short game that takes a few."""


async def kept(parts: Parts, *users: int) -> list[tuple[Stay, int, int] | None]:
    """Of each person: how they attended their only match, what they were asked and answered in time."""
    found = [await parts.store.attendances(GUILD, user, 9) for user in users or (ANN, BOB)]
    assert all(len(each) < 2 for each in found)
    return [(each[0].stay, each[0].asked, each[0].in_time) if each else None for each in found]


async def play(parts: Parts, match: LiveMatch, acts: int) -> list[int]:
    """Play some acts; the seats that made them."""
    made = []
    for _ in range(acts):
        made.append(on_turn(match))
        await match.act(on_turn(match), an_act(match))
        parts.clock.settle(match)
    return made


async def time_up(parts: Parts, match: LiveMatch, unrated: Unrated | None = None) -> None:
    (timer,) = match.position.timers
    assert await match.run_out(timer, *filter(None, [unrated]))
    parts.clock.settle(match)


async def test_who_resigns_after_playing_has_stayed(parts: Parts) -> None:
    match = await parts.opened()
    made = await play(parts, match, 6)
    await match.act(0, Resign())
    assert not match.is_in(0)
    assert await kept(parts) == [(Stay.FINISHED, made.count(seat), made.count(seat)) for seat in (0, 1)]


@pytest.mark.parametrize("acts", [0, 1, 2])
async def test_who_resigns_right_after_the_deal_has_left_and_nothing_is_kept_of_the_other(
    parts: Parts, acts: int
) -> None:
    match = await parts.opened()
    made = await play(parts, match, acts)
    await match.act(1, Resign())
    assert await kept(parts) == [None, (Stay.LEFT, made.count(1), made.count(1))]


def test_a_match_of_many_is_left_early_by_who_has_not_moved_yet() -> None:
    assert left_early(act=30, own_moves=0, shortest_counted=4)
    assert not left_early(act=30, own_moves=1, shortest_counted=4)
    assert left_early(act=3, own_moves=1, shortest_counted=4)


async def test_who_loses_on_time_is_out_of_time_and_was_late_once(parts: Parts) -> None:
    match = await parts.opened()
    made = await play(parts, match, 6)
    late = on_turn(match)
    await time_up(parts, match)
    own = made.count(late)
    found = await kept(parts)
    assert match.over
    assert found[late] == (Stay.OUT_OF_TIME, own + 1, own)
    assert found[1 - late] == (Stay.FINISHED, 6 - own, 6 - own)


async def test_who_lets_the_first_question_run_out_has_attended_badly_and_nobody_else(parts: Parts) -> None:
    match = await parts.opened()
    late = on_turn(match)
    await time_up(parts, match)
    found = await kept(parts)
    assert (found[late], found[1 - late]) == ((Stay.OUT_OF_TIME, 1, 0), None)


@pytest.mark.parametrize("came", [False, True])
@pytest.mark.parametrize("waited", [1000 * QUIET_AFTER - 1000, 1000 * QUIET_AFTER])
async def test_nobody_but_you_can_lower_your_reliability_by_choosing_when_a_match_begins(
    parts: Parts, waited: int, *, came: bool
) -> None:
    """A host who has been away when somebody accepts; the other one accepts, and is asked."""
    invitation = await parts.invited(ANN, BOB)
    await parts.pass_time(waited)
    match = await parts.accepted(invitation.id, BOB)
    parts.clock.mark_shown(match, match.window_number)
    if came:
        match.note_came(0)
    while not match.over:
        await time_up(parts, match)
    excused = waited == 1000 * QUIET_AFTER and not came
    found = await kept(parts)
    assert [each is None for each in found] == [excused or on_turn_first(match) != 0, on_turn_first(match) != 1]
    row, result = there(await parts.store.match(match.id)), there(await parts.store.result(match.id))
    assert result.unaware == ((0,) if excused else ())
    assert len(attendances(row, await parts.store.records(match.id), result)) == 2 - found.count(None)


def on_turn_first(match: LiveMatch) -> int:
    """The seat that a match of two was lost by."""
    return there(match.result).ranks.index(2)


async def test_who_leaves_a_table_of_three_leaves_alone(parts: Parts) -> None:
    match = await _table(parts)
    late = on_turn(match)
    await time_up(parts, match)
    assert not match.over
    while not match.over:
        if match.position.acts > 20:
            await match.act(next(seat for seat in range(3) if match.is_in(seat)), Resign())
        else:
            await play(parts, match, 1)
    found = await kept(parts, *USERS)
    assert found.pop(late) == (Stay.OUT_OF_TIME, 1, 0)
    assert [each[0] for each in found if each] == [Stay.FINISHED, Stay.FINISHED]


async def test_of_a_match_that_was_called_off_nothing_is_kept(parts: Parts) -> None:
    await parts.ended()
    assert await kept(parts) == [None, None]


async def test_of_a_match_against_computers_nothing_is_kept(parts: Parts) -> None:
    terms = Terms(GUILD, CHANNEL, "haymaker", GAMES["haymaker"].info.options(), "blitz")
    opened = await parts.inviting.invite(Proposal(terms, ANN, kind=InvitationKind.TABLE))
    await parts.seating.add_computer(opened.id, ANN, "normal")
    with parts.presses.take_up(opened.id, next(press_ids)) as press:
        match = await parts.seating.start(opened.id, ANN, MESSAGE, press)
    await match.act(0, Resign())
    assert await kept(parts) == [None, None]


async def test_who_leaves_a_match_that_had_lost_its_place_is_excused(parts: Parts) -> None:
    match = await parts.opened()
    await match.suspend(Suspension.NO_ACCESS)
    await match.act(0, Resign())
    assert await kept(parts) == [None, None]


async def test_whose_time_ran_out_while_they_could_not_act_is_excused(parts: Parts) -> None:
    match = await parts.opened()
    made = await play(parts, match, 6)
    late = on_turn(match)
    await time_up(parts, match, Unrated(late, Obstacle.TIMED_OUT))
    found = await kept(parts)
    assert (found[late], found[1 - late]) == (None, (Stay.FINISHED, made.count(1 - late), made.count(1 - late)))


async def test_c_8_whose_seat_a_computer_plays_to_the_end_is_excused(parts: Parts) -> None:
    match = await parts.opened(stand_in=StandIn.UNRATED)
    held = on_turn(match)
    await time_up(parts, match)
    assert match.has_stand_in(held)
    for _ in range(6):
        seat = on_turn(match)
        await match.act(seat, an_act(match), computer="normal 1" if seat == held else None)
    await match.act(1 - held, Resign())
    found = await kept(parts)
    assert found[held] is None
    assert found[1 - held] == (Stay.FINISHED, 3, 3)


@pytest.mark.parametrize(("before", "stay"), [(0, Stay.LEFT), (6, Stay.FINISHED)])
async def test_c_8_who_hands_over_by_choice_and_loses_has_as_good_as_resigned_then(
    parts: Parts, before: int, stay: Stay
) -> None:
    match = await parts.opened(stand_in=StandIn.UNRATED)
    await play(parts, match, before)
    held = on_turn(match)
    await match.let_play(held, next(press_ids))
    for _ in range(8):
        seat = on_turn(match)
        await match.act(seat, an_act(match), computer="normal 1" if seat == held else None)
    await match.act(held, Resign())
    assert there(match.result).counted
    assert there((await kept(parts))[held])[0] is stay


async def test_c_8_who_takes_their_seat_back_stayed_and_was_late_once(parts: Parts) -> None:
    match = await parts.opened(stand_in=StandIn.UNRATED)
    held = on_turn(match)
    await time_up(parts, match)
    await match.take_back(held, next(press_ids))
    made = await play(parts, match, 6)
    await match.act(1 - held, Resign())
    own = made.count(held)
    assert (await kept(parts))[held] == (Stay.FINISHED, own + 1, own)


async def test_nothing_is_kept_of_a_match_whose_end_could_not_be_saved(parts: Parts) -> None:
    match = await parts.opened()
    await play(parts, match, 6)
    assert isinstance(parts.store, MemoryStore)
    parts.store.fail_next_write(NotSaved("the disk is full"))
    with pytest.raises(Unsaved):
        await match.act(0, Resign())
    assert not match.over
    assert await kept(parts) == [None, None]
    await match.act(0, Resign())
    found = await kept(parts)
    assert [each and each[0] for each in found] == [Stay.FINISHED, Stay.FINISHED]


async def test_a_match_ends_although_a_rule_fails_where_who_stayed_is_found(
    parts: Parts, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: object) -> object:
        raise ZeroDivisionError

    match = await parts.opened()
    await play(parts, match, 6)
    monkeypatch.setattr(live_match, "attendances", failing)
    await match.act(0, Resign())
    assert match.result is not None
    assert await kept(parts) == [None, None]


async def _table(parts: Parts, game: str = "ciq", clock: str = "blitz") -> LiveMatch:
    seats = min(3, GAMES[game].info.seats[-1])
    terms = Terms(GUILD, CHANNEL, game, GAMES[game].info.options(), clock)
    opened = await parts.inviting.invite(Proposal(terms, USERS[0], kind=InvitationKind.TABLE))
    with parts.presses.take_up(opened.id, next(press_ids)) as press:
        for user in USERS[1:seats]:
            await parts.seating.take_seat(opened.id, user, MESSAGE, press)
        match = await parts.seating.start(opened.id, USERS[0], MESSAGE, press)
    parts.clock.mark_shown(match, match.window_number)
    return match


async def _play_beside_others(parts: Parts, match: LiveMatch, own: int, rng: random.Random) -> None:
    """Play a match out in which one seat always answers in time, and the others do, leave, or let their time pass."""
    for _ in range(match.game.info.longest):
        window = match.position.window
        if match.over or window is None:
            return
        asked = match.awaited or window.may_act
        others = [seat for seat in range(len(match.seats)) if seat != own and match.is_in(seat)]
        if own in asked:
            act = random_act(match.choices(own), rng)
            if act is not None:
                await match.act(own, act)
                parts.clock.settle(match)
                continue
        if others and rng.random() < 0.04:
            await match.act(rng.choice(others), Resign())
        elif rng.random() < 0.2 or not asked:
            await match.run_out(match.position.timers[0])
        else:
            seat = rng.choice(sorted(asked))
            act = random_act(match.choices(seat), rng)
            if act is None:
                await match.run_out(match.position.timers[0])
            else:
                await match.act(seat, act)
        parts.clock.settle(match)
    raise AssertionError("the match outlasts its bound")


@pytest.mark.parametrize("game", GAMES)
async def test_nobody_can_lower_what_is_kept_of_another_and_it_follows_from_the_log(parts: Parts, game: str) -> None:
    stays: set[Stay] = set()
    for seed in range(MOST_SEEDS):
        if seed >= 4 and len(stays) > 1:
            break
        rng = random.Random(f"{game} {seed}")
        match = await _table(parts, game)
        own = rng.randrange(len(match.seats))
        await _play_beside_others(parts, match, own, rng)
        row, result = there(await parts.store.match(match.id)), there(await parts.store.result(match.id))
        found = attendances(row, await parts.store.records(match.id), result)
        stored = [each for user in USERS for each in await _of_match(parts, user, match.id)]
        assert sorted(stored, key=lambda each: each.seat) == list(found)
        mine = [each for each in found if each.seat == own]
        assert [(each.stay, each.asked - each.in_time) for each in mine] in ([], [(Stay.FINISHED, 0)])
        stays |= {each.stay for each in found}
    assert len(stays) > 1


async def _of_match(parts: Parts, user: int, match_id: str) -> list[Attendance]:
    return [each for each in await parts.store.attendances(GUILD, user, 99) if each.match_id == match_id]


async def test_only_moves_and_lost_time_are_turns(parts: Parts) -> None:
    """Neither to be ready, nor to resign, nor to hand a seat over is one; and a race has none."""
    match = await _table(parts, "tivmiv")
    await match.act(0, Resign())
    await match.act(1, Resign())
    assert [each and each[1:] for each in await kept(parts, *USERS)][:2] == [(0, 0), (0, 0)]


async def test_a_place_that_was_lost_and_found_again_excuses_whose_time_runs_out(parts: Parts) -> None:
    match = await parts.opened()
    await play(parts, match, 6)
    late = on_turn(match)
    await match.suspend(Suspension.THREAD_CLOSED)
    assert await match.resume(CHANNEL, 1 - late, {}) is not None
    await time_up(parts, match)
    assert match.over
    assert there(await parts.store.match(match.id)).lost_places != LostVenues()
    assert (await kept(parts))[late] is None
