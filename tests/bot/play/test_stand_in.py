"""A computer plays an absent seat on, and its player takes it back (C-8)."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from bot.computers.thinker import RuleOfThumb
from bot.games import GAMES
from bot.play.clocks.deadlines import GRACE
from bot.play.computers import seats as computer_seats
from bot.play.computers.seats import ComputerSeats
from bot.play.computers.stand_ins import TakenBack, TakenOver
from bot.play.live_match import LiveMatch
from bot.play.match_state import Offer, codec
from bot.play.matchmaking.invitations import Proposal, Terms
from bot.play.own_acts import SeenQuestion
from bot.play.refusals import Refused, StaleQuestion, StandInPlays, Suspended, Unsaved
from bot.store.errors import NotSaved
from bot.store.queries.invitations import InvitationKind, StandIn
from bot.store.queries.matches import Obstacle, Suspension, Unrated
from bot.telemetry import NO_TELEMETRY
from cogs.personal_data.export import everything_of
from engines.ciq.cards import write_cards
from engines.game import Resign, TimeUp
from engines.players.question import Answer, Question
from tests.bot.play.parts import ANN, BOB, CAT, CHANNEL, GUILD, MESSAGE, Parts, an_act, on_turn, press_ids
from tests.failing_rules import raising
from tests.known import there

TURN = 30_000
MOST_ACTS = 400
MODES = (StandIn.UNRATED, StandIn.RATED)


class SlowThinker:
    """Answers by rule of thumb, when a test lets it."""

    def __init__(self) -> None:
        self.may, self.asked, self.first = asyncio.Event(), 0, ""
        """`first` is the act that it finds at first, if it isn't empty."""

    async def answer(self, question: Question, *, deadline_seconds: float | None) -> Answer:
        self.asked += 1
        await self.may.wait()
        if self.first and self.asked == 1:
            return Answer(self.first)
        return await RuleOfThumb().answer(question, deadline_seconds=deadline_seconds)

    async def close(self) -> None:
        return


@pytest.fixture
async def thinker(parts: Parts, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[SlowThinker]:
    """What computers think with, who act at once then."""
    monkeypatch.setattr(computer_seats, "thinking_seconds", lambda _size, _luck: 0.0)
    thinker = SlowThinker()
    seats = ComputerSeats(
        thinker,
        parts.store,
        settle=parts.clock.settle,
        changed=parts.observers.match_changed,
        scheduler=parts.scheduler,
        telemetry=NO_TELEMETRY,
    )
    parts.observers.add(seats)
    yield thinker
    await seats.close()


async def table(parts: Parts, stand_in: StandIn, *users: int) -> LiveMatch:
    """A match of CIQ."""
    terms = Terms(GUILD, CHANNEL, "ciq", GAMES["ciq"].info.options(), "blitz", stand_in=stand_in)
    opened = await parts.inviting.invite(Proposal(terms, users[0], kind=InvitationKind.TABLE))
    with parts.presses.take_up(opened.id, next(press_ids)) as press:
        for user in users[1:]:
            await parts.seating.take_seat(opened.id, user, MESSAGE, press)
        match = await parts.seating.start(opened.id, users[0], MESSAGE, press)
    parts.clock.mark_shown(match, match.window_number)
    return match


async def move(parts: Parts, match: LiveMatch) -> None:
    """An act of the person on turn."""
    await match.act(on_turn(match), an_act(match))
    parts.clock.settle(match)
    parts.clock.mark_shown(match, match.window_number)


async def run_out(parts: Parts) -> None:
    """Let the time of the question run out that is shown."""
    (match,) = parts.registry.live()
    parts.clock.mark_shown(match, match.window_number)
    (timer,) = match.position.timers
    await parts.pass_time(timer.deadline - parts.now() + GRACE)


async def press(parts: Parts, match: LiveMatch, seat: int, verb: str) -> bool:
    """Let the computer play on, or take the seat back, as a press does it."""
    with parts.presses.take_up(match.id, next(press_ids)) as pressed:
        return await (pressed.let_play if verb == "let_play" else pressed.take_back)(match, seat)


async def hand_overs(parts: Parts, match: LiveMatch) -> list[tuple[int | None, object]]:
    """The records that say who plays a seat, by actor."""
    written = codec(match.game.info.key)
    acts = [(each.actor, written.decode(each.action)) for each in await parts.store.records(match.id) if each.action]
    return [(actor, action) for actor, action in acts if isinstance(action, TakenOver | TakenBack)]


async def restored(parts: Parts, match: LiveMatch) -> LiveMatch:
    """The match as a new process finds it."""
    again, found = await parts.restarted()
    assert found.id == match.id
    await again.close()
    return found


def who_plays(match: LiveMatch) -> tuple[object, ...]:
    return match.holders, match.position.acts, match.chain, [match.acting_level(seat) for seat in range(2)]


# ---------------------------------------------------------------------------------------------- the clock


async def test_c_8_without_a_stand_in_time_is_lost_as_before(parts: Parts) -> None:
    match = await parts.opened()
    await run_out(parts)
    assert there(match.result).kind == "time"


@pytest.mark.parametrize("stand_in", MODES)
async def test_c_8_a_computer_takes_over_the_seat_whose_time_runs_out(parts: Parts, stand_in: StandIn) -> None:
    match = await parts.opened(stand_in=stand_in)
    seat, window = on_turn(match), match.window_number
    await run_out(parts)
    assert not match.over
    assert await hand_overs(parts, match) == [(None, TakenOver((seat,), "normal", (1 - seat,)))]
    assert (match.has_stand_in(seat), match.has_stand_in(1 - seat)) == (True, False)
    assert (match.window_number, match.acting_level(seat)) == (window, "normal")
    (timer,) = match.position.timers
    assert timer.deadline == parts.now() + TURN
    assert await parts.store.timers(match.id) == [timer]
    assert match.can_call_off  # nobody has made a move


async def test_c_8_a_default_act_is_played_and_no_seat_is_handed_over(parts: Parts) -> None:
    match = await table(parts, StandIn.RATED, ANN, BOB, CAT)
    rng = random.Random(3)
    for _ in range(MOST_ACTS):
        (timer,) = match.position.timers
        if not match.losers_by(timer):
            break
        seat = on_turn(match)
        question = match.question(seat, "normal", 0, await match.read_events())
        answer = await RuleOfThumb().answer(replace(question, luck=rng.randrange(1 << 30)), deadline_seconds=None)
        await match.act(seat, match.game.read(answer.act))
        parts.clock.settle(match)
    else:
        raise AssertionError("no question with a default came")
    acts = match.position.acts
    await run_out(parts)
    assert match.position.acts >= acts + 1
    record = (await parts.store.records(match.id))[acts + 1]
    assert isinstance(codec("ciq").decode(record.action or ""), TimeUp)


async def test_c_8_who_takes_a_seat_back_and_lets_the_same_time_run_out_again_loses(parts: Parts) -> None:
    match = await parts.opened(stand_in=StandIn.RATED)
    seat = on_turn(match)
    await run_out(parts)
    assert await press(parts, match, seat, "take_back")
    await run_out(parts)
    assert match.result is not None
    assert (match.result.kind, match.result.ranks[seat]) == ("time", 2)


async def test_c_8_if_nobody_would_be_left_who_plays_time_is_lost(parts: Parts) -> None:
    match = await parts.opened(stand_in=StandIn.RATED)
    seat = on_turn(match)
    assert await press(parts, match, 1 - seat, "let_play")
    await run_out(parts)
    assert match.result is not None
    assert (match.result.kind, match.result.ranks[seat]) == ("time", 2)


async def test_c_8_computers_do_not_play_on_alone(parts: Parts, thinker: SlowThinker) -> None:
    match = await table(parts, StandIn.RATED, ANN, BOB, CAT)
    thinker.may.set()
    stays = on_turn(match)
    first, second = [seat for seat in range(3) if seat != stays]
    assert await press(parts, match, first, "let_play")
    assert await press(parts, match, second, "let_play")
    with parts.presses.take_up(match.id, next(press_ids)) as pressed:
        await pressed.act(match, stays, Resign())
    acts = match.position.acts
    parts.clock.mark_shown(match, match.window_number)
    await parts.pass_time(1000)
    assert (match.position.acts, thinker.asked) == (acts, 0)
    asked = on_turn(match)
    await run_out(parts)
    assert [seat for seat, rank in enumerate(there(match.result).ranks) if rank == 1] == [3 - stays - asked]


async def test_c_8_a_match_whose_player_could_not_act_does_not_count(parts: Parts) -> None:
    match = await parts.opened(stand_in=StandIn.RATED)
    seat = on_turn(match)

    (timer,) = match.position.timers
    assert await match.run_out(timer, Unrated(seat, Obstacle.GONE))
    assert match.has_stand_in(seat)
    row = there(await parts.store.match(match.id))
    assert match.unrated == row.unrated
    assert row.unrated is not None
    assert (row.unrated.seat, row.unrated.why) == (seat, Obstacle.GONE)


# ---------------------------------------------------------------------------------------------- presses


async def test_c_8_a_player_lets_the_computer_play_on_and_takes_the_seat_back(
    parts: Parts, thinker: SlowThinker
) -> None:
    match = await parts.opened(stand_in=StandIn.RATED)
    thinker.may.set()
    seat = on_turn(match)
    (before,) = match.position.timers
    assert await press(parts, match, seat, "let_play")
    assert match.position.timers == (before,)
    await parts.pass_time(100)
    assert match.holders.seats[seat].computed == 1
    records = await parts.store.records(match.id)
    assert [record.computer for record in records] == [None, None, "normal 1"]
    assert await press(parts, match, seat, "take_back")
    assert not match.has_stand_in(seat)
    level = TakenOver((seat,), "normal", (1 - seat,))
    assert await hand_overs(parts, match) == [(seat, level), (seat, TakenBack())]


async def test_c_8_presses_that_repeat_change_nothing(parts: Parts) -> None:
    match = await parts.opened(stand_in=StandIn.RATED)
    assert not await press(parts, match, 0, "take_back")
    assert await press(parts, match, 0, "let_play")
    assert not await press(parts, match, 0, "let_play")
    assert await press(parts, match, 0, "take_back")
    assert not await press(parts, match, 0, "take_back")
    assert len(await hand_overs(parts, match)) == 2


async def test_c_8_a_seat_just_taken_back_stays_with_its_player_until_the_next_move(parts: Parts) -> None:
    match = await parts.opened(stand_in=StandIn.RATED)
    await press(parts, match, 0, "let_play")
    await press(parts, match, 0, "take_back")
    with pytest.raises(Refused, match=r"stand_in\.just_back"):
        await press(parts, match, 0, "let_play")
    await move(parts, match)
    assert await press(parts, match, 0, "let_play")


@pytest.mark.parametrize("stand_in", StandIn)
async def test_c_8_not_without_a_stand_in_nor_as_the_last_who_plays_nor_once_out(
    parts: Parts, stand_in: StandIn
) -> None:
    match = await table(parts, stand_in, ANN, BOB, CAT)
    await match.act(0, Resign())
    with pytest.raises(Refused, match=r"press\.not_offered"):
        await press(parts, match, 0, "let_play")
    if stand_in is StandIn.OFF:
        with pytest.raises(Refused, match=r"press\.not_offered"):
            await press(parts, match, 1, "let_play")
        return
    assert await press(parts, match, 1, "let_play")
    with pytest.raises(Refused, match=r"stand_in\.nobody_left"):
        await press(parts, match, 2, "let_play")


async def test_c_8_a_player_must_take_the_seat_back_to_act_and_may_resign_without(parts: Parts) -> None:
    match = await parts.opened(stand_in=StandIn.RATED)
    seat = on_turn(match)
    await press(parts, match, seat, "let_play")

    async def meant(_: Offer | None) -> object:
        raise AssertionError("a held seat's player means nothing")

    with parts.presses.take_up(match.id, next(press_ids)) as pressed:
        with pytest.raises(StandInPlays):
            await pressed.answer(match, seat, "pass", SeenQuestion(match.window_number), meant)
        await pressed.act(match, seat, Resign())
    assert there(match.result).ranks[seat] == 2


async def test_c_8_the_press_of_a_player_beats_a_computer_that_thinks(parts: Parts, thinker: SlowThinker) -> None:
    match = await parts.opened(stand_in=StandIn.RATED)
    seat = on_turn(match)
    await press(parts, match, seat, "let_play")
    await parts.pass_time(100)
    assert thinker.asked == 1
    assert await press(parts, match, seat, "take_back")
    thinker.may.set()
    await parts.pass_time(100)
    assert match.holders.seats[seat].computed == 0
    await move(parts, match)
    assert match.holders.seats[seat].own == 1


async def test_c_8_an_act_of_the_computer_in_the_queue_is_dropped_once_the_seat_is_back(parts: Parts) -> None:
    match = await parts.opened(stand_in=StandIn.RATED)
    seat = on_turn(match)
    await press(parts, match, seat, "let_play")
    back, late = await asyncio.gather(
        match.take_back(seat, next(press_ids)),
        match.act(seat, an_act(match), window=match.window_number, computer="normal 1"),
        return_exceptions=True,
    )
    assert back is True
    assert isinstance(late, StaleQuestion)
    assert match.holders.seats[seat].computed == 0


async def test_c_8_a_computer_thinks_again_if_whom_it_attacks_leaves(
    parts: Parts, thinker: SlowThinker, caplog: pytest.LogCaptureFixture
) -> None:
    match = await table(parts, StandIn.RATED, ANN, BOB, CAT)
    seat, window = on_turn(match), match.window_number
    await press(parts, match, seat, "let_play")
    await parts.pass_time(100)
    (leaver, _) = [other for other in range(3) if other != seat]
    thinker.first = f"damage {leaver} {write_cards(match.position.state.places[seat].hand[:1])}"
    await match.act(leaver, Resign())
    thinker.may.set()
    await parts.pass_time(100)
    assert thinker.asked == 2
    assert match.window_number > window
    assert caplog.text == ""


async def test_c_8_a_computer_seems_to_think_before_it_acts(
    parts: Parts, thinker: SlowThinker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(computer_seats, "thinking_seconds", lambda _size, _luck: 2.0)
    match = await parts.opened(stand_in=StandIn.RATED)
    thinker.may.set()
    await press(parts, match, on_turn(match), "let_play")
    before = match.position.acts
    await parts.pass_time(1500)
    assert match.position.acts == before
    await parts.pass_time(1000)
    assert match.position.acts == before + 1


@pytest.mark.parametrize("restarted", [False, True])
async def test_c_8_an_old_press_of_the_player_does_not_repeat_the_computers_act(
    parts: Parts, thinker: SlowThinker, *, restarted: bool
) -> None:
    match = await parts.opened(stand_in=StandIn.RATED)
    thinker.may.set()
    seat, window = on_turn(match), match.window_number
    await press(parts, match, seat, "let_play")
    await parts.pass_time(100)

    async def meant(_: Offer | None) -> object:
        raise AssertionError("its question is answered")

    found = await restored(parts, match) if restarted else match
    await found.take_back(seat, next(press_ids))
    for after in (found, await restored(parts, match)):
        with pytest.raises(StaleQuestion):
            await after.answer(seat, "pass", SeenQuestion(window), meant, next(press_ids))


async def test_c_8_what_cannot_be_saved_did_not_happen(parts: Parts, monkeypatch: pytest.MonkeyPatch) -> None:
    match = await parts.opened(stand_in=StandIn.RATED)
    before = who_plays(match)

    with monkeypatch.context() as patch:
        patch.setattr(parts.store, "append", raising(NotSaved("the disk is full")))
        with pytest.raises(Unsaved):
            await press(parts, match, 0, "let_play")
        await run_out(parts)
        assert who_plays(match) == before
    await parts.pass_time(60_000)
    assert len(await hand_overs(parts, match)) == 1


async def test_c_8_a_computer_whose_match_cannot_be_read_tries_again(
    parts: Parts, thinker: SlowThinker, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await parts.opened(stand_in=StandIn.RATED)
    seat, acts = on_turn(match), match.position.acts

    thinker.may.set()
    with monkeypatch.context() as patch:
        patch.setattr(parts.store, "records", raising(NotSaved("the database is busy")))
        await press(parts, match, seat, "let_play")
        await parts.pass_time(3 * 1000)
        assert (match.position.acts, thinker.asked) == (acts + 1, 0)  # it holds the seat, and knows nothing yet
    await parts.pass_time(3 * 1000)
    assert thinker.asked >= 1
    assert match.position.acts >= acts + 2


async def test_c_8_nothing_is_handed_over_while_a_match_is_suspended(parts: Parts) -> None:
    match = await parts.opened(stand_in=StandIn.RATED)
    await parts.lifecycle.suspend(match, Suspension.NO_ACCESS)
    for verb in ("let_play", "take_back"):
        with pytest.raises(Suspended):
            await press(parts, match, 0, verb)


# ---------------------------------------------------------------------------------------------- after a restart


async def test_c_8_a_restart_at_any_moment_finds_the_same_holders(parts: Parts, thinker: SlowThinker) -> None:
    match = await parts.opened(stand_in=StandIn.RATED)
    seat = on_turn(match)
    await run_out(parts)
    for verb in ("", "take_back", "let_play", "take_back"):
        if verb:
            await press(parts, match, seat, verb)
        assert who_plays(await restored(parts, match)) == who_plays(match)
        thinker.may.set()
        await parts.pass_time(100)
        thinker.may.clear()
        if not match.has_computer(on_turn(match)):
            await move(parts, match)
        assert who_plays(await restored(parts, match)) == who_plays(match)
    assert len(await hand_overs(parts, match)) == 4


# ---------------------------------------------------------------------------------------------- elsewhere


async def test_c_8_not_in_tiv_miv(parts: Parts) -> None:
    with pytest.raises(Refused, match=r"stand_in\.not_offered"):
        await parts.invited(game="tivmiv", stand_in=StandIn.RATED)


# ---------------------------------------------------------------------------------------------- personal data


async def test_c_8_when_a_computer_took_a_seat_over_is_its_players_data(parts: Parts) -> None:
    match = await parts.opened(stand_in=StandIn.RATED)
    seat = on_turn(match)
    await run_out(parts)
    await press(parts, match, seat, "take_back")
    await move(parts, match)
    for user in (match.seats[seat], match.seats[1 - seat]):
        (told,) = (await everything_of(parts.store, GUILD, user))["matches"]
        assert told["stand_in"] == "rated"
        mine = user == match.seats[seat]
        assert [each["seq"] for each in told["taken_over_by_computer"]] == ([1] if mine else [])
        assert [each["seq"] for each in told["acts"]] == ([2, 3] if mine else [])


async def test_c_8_no_computer_plays_for_a_seat_that_is_out(parts: Parts) -> None:
    match = await table(parts, StandIn.RATED, ANN, BOB, CAT)
    seat = on_turn(match)
    await press(parts, match, seat, "let_play")
    assert match.has_stand_in(seat)
    await match.act(seat, Resign())
    assert not match.over
    assert (match.has_stand_in(seat), match.has_computer(seat), match.acting_level(seat)) == (False, False, None)
    assert not await press(parts, match, seat, "take_back")
