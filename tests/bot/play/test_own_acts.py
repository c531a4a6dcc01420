"""Which acts of a seat are unconfirmed, and which press repeats one."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest

from bot.play.clocks.deadlines import GRACE
from bot.play.live_match import LiveMatch
from bot.play.match_state import Offer, codec
from bot.play.own_acts import MadeAct, OwnActs, SeenQuestion, made_acts
from bot.play.refusals import AlreadyMade, Refused, StaleQuestion, Suspended
from bot.store.queries.matches import Record, Suspension
from engines import GAMES
from engines.game import Act, IllegalAction, Resign
from engines.tivmiv import COUNTDOWN, Draw, Stage
from laws.bodies import match_after, records_of
from laws.play import random_match
from tests.bot.play.parts import CHANNEL, Parts, an_act, on_turn, press_ids
from tests.games.cases import case_of, is_race
from tests.known import there

SEAT = 0


# ---------------------------------------------------------------------------------------------- the acts of a seat


def test_an_act_is_unconfirmed_until_it_was_told() -> None:
    acts = OwnActs(2)
    assert (acts.count(SEAT), acts.unconfirmed(SEAT), acts.shown(SEAT)) == (0, frozenset(), 0)
    assert [acts.add(SEAT), acts.add(SEAT)] == [1, 2]
    assert acts.unconfirmed(SEAT) == {1, 2}
    acts.confirm(SEAT, [2])
    assert acts.unconfirmed(SEAT) == {1}
    acts.confirm(SEAT, [1])
    assert acts.unconfirmed(SEAT) == frozenset()
    assert acts.unconfirmed(1) == frozenset()


def test_of_an_earlier_process_only_the_last_act_of_each_seat_is_unconfirmed() -> None:
    acts = OwnActs(3, [None, 0, 1, 0, None, 0])
    assert [acts.count(seat) for seat in (0, 1, 2)] == [3, 1, 0]
    assert [acts.unconfirmed(seat) for seat in (0, 1, 2)] == [{3}, {1}, frozenset()]
    assert acts.add(0) == 4
    assert acts.unconfirmed(0) == {3, 4}


def test_a_hand_counts_the_acts_before_the_first_that_its_owner_was_not_told_of() -> None:
    acts = OwnActs(2)
    for _ in range(4):
        acts.add(SEAT)
    acts.confirm(SEAT, [1, 3])
    assert acts.shown(SEAT) == 1
    assert acts.shown(SEAT, reported=[2]) == 3
    assert acts.shown(SEAT, reported=[2, 4]) == 4


def test_a_press_on_a_hand_shows_that_its_owner_saw_the_acts_that_it_counts() -> None:
    acts = OwnActs(2)
    for _ in range(3):
        acts.add(SEAT)
    acts.saw(SEAT, 2)
    assert acts.unconfirmed(SEAT) == {3}


# ---------------------------------------------------------------------------------------------- a turn


async def press(match: LiveMatch, seen: SeenQuestion, action: Any, verb: str = "whatever") -> int:
    """Press, on the seat that is asked first in a test; the act's number."""

    async def meant(_: Offer | None) -> Any:
        return action

    return await match.answer(SEAT, verb, seen, meant, next(press_ids))


async def told(match: LiveMatch, seen: SeenQuestion, action: Any, verb: str = "whatever") -> list[MadeAct]:
    """Press again; what is reported."""
    acts = match.position.acts
    with pytest.raises(AlreadyMade) as already:
        await press(match, seen, action, verb)
    assert match.position.acts == acts
    return list(already.value.made)


async def turn(parts: Parts) -> tuple[LiveMatch, int, Any]:
    """A match of Haymaker in which `SEAT` is asked, its question, and an act."""
    match = await parts.opened()
    if on_turn(match) != SEAT:
        await match.act(on_turn(match), an_act(match))
    return match, match.window_number, an_act(match)


async def test_the_first_press_on_a_new_question_after_a_start_reads_no_log(
    parts: Parts, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, window, act = await turn(parts)
    await press(match, SeenQuestion(window), act)
    while on_turn(match) != SEAT:
        await match.act(on_turn(match), an_act(match))
    later, restored = await parts.restarted()
    reads: list[str] = []
    read = parts.store.records

    async def counted(match_id: str, first: int = 0) -> list[Record]:
        reads.append(match_id)
        return await read(match_id, first)

    monkeypatch.setattr(parts.store, "records", counted)
    assert await press(restored, SeenQuestion(restored.window_number), an_act(restored)) == 2
    assert not reads
    with pytest.raises(AlreadyMade):  # now there is an act that nobody was told of
        await press(restored, SeenQuestion(restored.window_number - 1), "whatever it is")
    assert reads
    await later.close()


@pytest.mark.parametrize("game", GAMES)
def test_the_last_action_of_a_restored_seat_is_that_of_its_log(game: str) -> None:
    case, rng = case_of(game), random.Random(7)
    same_question = earlier = 0
    for _ in range(2):
        deal = case.deal("default", case.setups[0][1], rng)
        log = random_match(deal, rng)
        for moves in range(0, len(log.moves), max(1, len(log.moves) // 8)):
            match, records = match_after(log, moves), records_of(log, moves)
            for seat in range(deal.seats):
                last = match.own_acts.count(seat)
                start, wanted = match.game.start(match.options, deal.seats), frozenset({last})
                made = made_acts(match.game, start, codec(game), records, seat=seat, wanted=wanted.__contains__)
                known = match.own_acts.last_action(seat)
                if not last:
                    assert known is None
                elif known == "":
                    assert made[0].window != match.window_number
                    earlier += 1
                else:
                    assert known is not None
                    assert codec(game).decode(known) == made[0].action
                    same_question += 1
    assert earlier or is_race(game)
    assert same_question or not is_race(game)  # in a race a question stays open while seats act


async def test_a_press_on_a_question_whose_answer_was_lost_is_told_what_was_made(parts: Parts) -> None:
    match, window, act = await turn(parts)
    assert await press(match, SeenQuestion(window), act) == 1
    (made,) = await told(match, SeenQuestion(window), "something else")
    assert (made.number, made.window, made.action) == (1, window, act)
    assert made.events == (await match.read_events())[-len(made.events) :]


async def test_after_it_was_told_the_press_is_stale(parts: Parts) -> None:
    match, window, act = await turn(parts)
    match.own_acts.confirm(SEAT, [await press(match, SeenQuestion(window), act)])
    with pytest.raises(StaleQuestion):
        await press(match, SeenQuestion(window), act)


async def test_a_press_on_another_question_is_stale(parts: Parts) -> None:
    match, window, act = await turn(parts)
    await press(match, SeenQuestion(window), act)
    with pytest.raises(StaleQuestion):
        await press(match, SeenQuestion(window + 7), act)


async def test_what_another_seat_made_is_not_told(parts: Parts) -> None:
    match = await parts.opened()
    other, window, act = on_turn(match), match.window_number, an_act(match)
    await match.act(other, act)

    async def meant(_: Offer | None) -> Any:
        return act

    with pytest.raises(StaleQuestion):
        await match.answer(1 - other, "whatever", SeenQuestion(window), meant, next(press_ids))


async def test_the_next_process_tells_what_was_made(parts: Parts) -> None:
    match, window, act = await turn(parts)
    await press(match, SeenQuestion(window), act)
    later, restored = await parts.restarted()
    (made,) = await told(restored, SeenQuestion(window), act)
    assert (made.window, made.action) == (window, act)
    with pytest.raises(StaleQuestion):
        await press(restored, SeenQuestion(window + 7), act)
    restored.own_acts.confirm(SEAT, [made.number])
    with pytest.raises(StaleQuestion):
        await press(restored, SeenQuestion(window), act)
    await later.close()


async def test_who_resigned_and_was_not_answered_is_told_so(parts: Parts) -> None:
    match, _, _ = await turn(parts)
    await match.act(SEAT, Resign(), interaction_id=next(press_ids))
    with pytest.raises(AlreadyMade) as already:
        await match.act(SEAT, Resign(), interaction_id=next(press_ids))
    assert [made.action for made in already.value.made] == [Resign()]
    match.own_acts.confirm(SEAT, [already.value.made[0].number])
    with pytest.raises(Refused, match=r"refusal\.match_over"):
        await match.act(SEAT, Resign(), interaction_id=next(press_ids))


async def test_resigning_answers_no_question(parts: Parts) -> None:
    match, window, act = await turn(parts)
    await match.act(SEAT, Resign(), interaction_id=next(press_ids))
    with pytest.raises(Refused, match=r"refusal\.match_over"):
        await press(match, SeenQuestion(window), act)


async def test_a_match_that_ended_is_found_with_what_its_players_know(parts: Parts) -> None:
    match, _, _ = await turn(parts)
    match.own_acts.confirm(SEAT, [await match.act(SEAT, Resign(), interaction_id=next(press_ids))])
    parts.clock.settle(match)
    found = there(await parts.registry.find(match.id))
    assert found is not match
    assert found.own_acts.unconfirmed(SEAT) == frozenset()


async def test_a_match_on_hold_says_so_first(parts: Parts) -> None:
    match, window, act = await turn(parts)
    await press(match, SeenQuestion(window), act)
    await match.suspend(Suspension.CHANNEL_GONE)
    with pytest.raises(Suspended):
        await press(match, SeenQuestion(window), act)
    await match.resume(CHANNEL, SEAT, {})
    assert await told(match, SeenQuestion(window), act)


# ---------------------------------------------------------------------------------------------- a race


async def race(parts: Parts) -> LiveMatch:
    """A match of Tiv-Miv after its first GO. Nobody has pressed anything, not even *Ready*."""
    match = await parts.opened(game="tivmiv")
    await parts.pass_time(match.options.ready_seconds * 1000 + GRACE)
    await parts.pass_time(COUNTDOWN * 1000)
    assert match.position.state.stage is Stage.RACE
    return match


def drawn(match: LiveMatch) -> int:
    """How many cards `SEAT` holds."""
    return len(match.position.state.hands[SEAT])


async def draw(match: LiveMatch, shown: int | None) -> int:
    """Press *Draw* on a hand that counts so many acts; on one of an older version if None."""
    return await press(match, SeenQuestion(0, shown), Draw(), "draw")


async def test_in_a_race_a_press_on_the_hand_that_does_not_show_the_act_is_not_applied_again(parts: Parts) -> None:
    match = await race(parts)
    await draw(match, 0)
    (made,) = await told(match, SeenQuestion(0, 0), Draw(), "draw")
    assert (made.number, made.verb, made.action) == (1, "draw", Draw())
    assert drawn(match) == 1


async def test_in_a_race_a_press_on_a_hand_that_shows_the_act_is_another_act(parts: Parts) -> None:
    match = await race(parts)
    await draw(match, 0)
    await draw(match, 1)
    assert drawn(match) == 2


async def test_in_a_race_an_answer_that_arrived_unnoticed_is_noticed_by_the_press_on_it(parts: Parts) -> None:
    match = await race(parts)
    for shown in range(3):
        await draw(match, shown)
        assert match.own_acts.shown(SEAT) == shown
    assert drawn(match) == 3


async def test_in_a_race_a_press_whose_predecessor_was_answered_is_another_act(parts: Parts) -> None:
    match = await race(parts)
    match.own_acts.confirm(SEAT, [await draw(match, 0)])
    await draw(match, 0)
    assert drawn(match) == 2


@pytest.mark.parametrize("restarted", [False, True])
async def test_in_a_race_a_button_of_an_older_version_repeats_the_last_act_until_that_was_told(
    parts: Parts, restarted: bool
) -> None:
    match = await race(parts)
    number = await draw(match, None)
    later = Parts(parts.store, parts.scheduler)
    if restarted:
        await later.restore_all()
        (match,) = later.registry.live()
    (made,) = await told(match, SeenQuestion(0), Draw(), "draw")
    assert made.number == number
    match.own_acts.confirm(SEAT, [number])
    await draw(match, None)
    assert drawn(match) == 2
    await later.close()


async def test_in_a_race_another_act_from_the_same_hand_is_taken(parts: Parts) -> None:
    match = await race(parts)
    held = await draw_until_one_fits(match)
    shown = match.own_acts.count(SEAT)
    await draw(match, shown)
    assert await press(match, SeenQuestion(1, shown), held.action, held.verb) == shown + 2
    assert [made.number for made in await told(match, SeenQuestion(0, shown), Draw(), "draw")] == [shown + 1]


async def test_in_a_race_a_card_that_is_gone_is_told_of(parts: Parts) -> None:
    match = await race(parts)
    held = await draw_until_one_fits(match)
    shown = match.own_acts.count(SEAT)
    await press(match, SeenQuestion(1, shown), held.action, held.verb)

    async def gone(_: Offer | None) -> Any:
        raise Refused("press.not_offered")

    with pytest.raises(AlreadyMade) as already:
        await match.answer(SEAT, held.verb, SeenQuestion(1, shown), gone, next(press_ids))
    assert [made.action for made in already.value.made] == [held.action]


async def test_in_a_race_the_next_process_does_not_apply_a_press_again(parts: Parts) -> None:
    match = await race(parts)
    for shown in range(3):
        await draw(match, shown)
    later, restored = await parts.restarted()
    assert await told(restored, SeenQuestion(0, 2), Draw(), "draw")
    await draw(restored, 3)
    assert drawn(restored) == 4
    await later.close()


async def test_presses_at_once_from_one_hand_make_one_act(parts: Parts) -> None:
    match = await race(parts)
    results = await asyncio.gather(*(draw(match, 0) for _ in range(5)), return_exceptions=True)
    assert results[0] == 1
    assert all(isinstance(result, AlreadyMade) for result in results[1:])
    assert drawn(match) == 1


async def draw_until_one_fits(match: LiveMatch) -> Act[Any]:
    """Draw, each time answered, until a card may be placed; the act that places it."""
    while True:
        match.own_acts.confirm(SEAT, [await draw(match, match.own_acts.count(SEAT))])
        for offer in match.choices(SEAT):
            if isinstance(offer, Act) and offer.action != Draw():
                return offer


async def test_what_the_rules_refuse_repeats_nothing(parts: Parts) -> None:
    match = await race(parts)
    await draw(match, 0)
    shut = next(shut.act for shut in match.choices(SEAT).closed if shut.act is not None)
    with pytest.raises(IllegalAction):
        await press(match, SeenQuestion(1, 0), shut.action, shut.verb)
