"""Moves that were planned are made once, by the rules, when their time comes, or forgotten with a word."""

from __future__ import annotations

from typing import Any

import pytest

from bot.play.clocks.stops import ClockStops
from bot.play.refusals import Refused
from bot.scheduler import DAY
from bot.store.errors import NotSaved
from bot.store.queries.invitations import StandIn
from bot.store.queries.matches import Suspension
from cogs.away.keeper import AwayKeeper
from cogs.away.queries import Absences
from cogs.conditions.making import SOONEST, Conditions
from cogs.conditions.queries import MOST, ConditionQueries, PlanOutcome
from engines import ciq, haymaker
from engines.game import Resign
from tests.bot.play.parts import CHANNEL, Parts, press_ids
from tests.cogs.conditions.planning import LATE, Table, conditions, say
from tests.failing_rules import raising


def by_bot(table: Table, acts: int) -> bool:
    """Whether the waiting seat has made this number of moves."""
    return table.match.own_acts.count(table.waiting) == acts


async def with_plan(parts: Parts, **terms: Any) -> Table:
    """A match whose waiting player plans to take any hit."""
    table = await Table.laid(parts, **terms)
    await table.plan("any", haymaker.TakeHit(), "hit")
    return table


async def test_the_first_planned_move_that_fits_is_made_as_its_players_own(parts: Parts) -> None:
    table = await Table.laid(parts)
    low, high = sorted(table.hand(table.waiting), key=lambda card: card.rank)[:: len(table.hand(table.waiting)) - 1]
    await table.plan("haymaker", haymaker.TakeHit(), "hit")
    await table.plan("any", haymaker.Block((low,)))
    await table.plan("any", haymaker.Block((high,)))
    await table.attack(max(table.hand(table.attacker), key=lambda card: (card.rank <= high.rank, card.rank)))
    await table.later()
    *_, record = await parts.store.records(table.match.id)
    assert (record.actor, record.interaction_id, record.computer) == (table.waiting, None, None)
    events = await table.match.read_acts(record.seq)
    (laid,) = [event for event in events[0] if isinstance(event, haymaker.BlockLaid)]
    assert laid.cards == (high,)
    assert by_bot(table, 1)
    assert [each.outcome for each in await table.kept()] == [PlanOutcome.MADE]
    assert await table.note() == say("plan.made")


async def test_nothing_is_made_sooner_than_a_person_could(parts: Parts) -> None:
    table = await with_plan(parts)
    await table.later()
    await table.attack()
    await parts.pass_time(round(SOONEST * 1000) - 1000)
    assert by_bot(table, 0)
    await table.later()
    assert by_bot(table, 1)


async def test_what_does_not_fit_is_forgotten_with_a_word_and_its_player_asked_as_usual(parts: Parts) -> None:
    table = await Table.laid(parts)
    await table.plan("haymaker", haymaker.TakeHit(), "hit")
    await table.plan("attack", haymaker.Attack((table.highest(),)), "attack")
    await table.attack()
    await table.later()
    assert table.match.awaited == {table.waiting}
    assert [each.outcome for each in await table.kept()] == [PlanOutcome.UNFIT]
    assert await table.note() == say("plan.unfit")
    await table.press(table.waiting, "hit", haymaker.TakeHit())
    assert await table.note() == "", "once they have moved there is nothing to tell"
    await table.later()
    assert await table.kept() == []


async def test_a_move_that_the_rules_refuse_is_no_move(parts: Parts) -> None:
    table = await Table.laid(parts)
    (strongest, *_) = sorted(table.hand(table.attacker), key=lambda card: -card.rank)
    weaker = [card for card in table.hand(table.waiting) if card.rank < strongest.rank]
    await table.plan("any", haymaker.Block((weaker[0],)))
    await table.attack(strongest)
    await table.later()
    assert by_bot(table, 0)
    assert await table.note() == say("plan.unfit")


async def test_a_player_who_moves_first_has_planned_nothing(parts: Parts) -> None:
    table = await with_plan(parts)
    await table.attack()
    await table.press(table.waiting, "block", haymaker.Block((table.highest(),)))
    await table.later()
    assert by_bot(table, 1)
    assert await table.kept() == []


async def test_who_moves_while_it_is_looked_whether_a_plan_fits_reads_of_none(parts: Parts) -> None:
    table = await Table.laid(parts)
    await table.plan("attack", haymaker.Attack((table.highest(),)), "attack")
    await table.attack()

    async def may_play(_guild_id: int, _user_id: int) -> None:
        if by_bot(table, 0):
            await table.press(table.waiting, "hit", haymaker.TakeHit())

    parts.invitations.admission.add(may_play, None)
    await table.later()
    assert by_bot(table, 1)
    assert await table.note() == ""


async def test_three_moves_can_be_planned_and_none_twice(parts: Parts) -> None:
    table = await Table.laid(parts)
    cards = table.hand(table.waiting)
    assert [await table.plan("any", haymaker.Block((card,))) for card in (*cards[:MOST], cards[0])] == [True] * 4
    assert not await table.plan("any", haymaker.Block(cards[-1:]))
    assert [each.number for each in await table.kept()] == [1, 2, 3]
    await table.queries.drop(table.match.id, table.waiting, 2)
    assert await table.plan("any", haymaker.Block(cards[-1:]))
    assert [each.move for each in await table.kept()] == [
        table.match.game.write(haymaker.Block((card,))) for card in (cards[0], cards[2], cards[-1])
    ]


async def test_in_ciq_the_attack_of_one_player_is_let_through_as_planned(parts: Parts) -> None:
    table = await Table.laid(parts, game="ciq")
    await table.plan(f"by{table.attacker}", ciq.Allow(), "allow")
    card = next(card for card in table.hand(table.attacker) if not card.is_joker)
    await table.press(table.attacker, f"damage{table.waiting}", ciq.Attack(table.waiting, ciq.Pile.DAMAGE, (card,)))
    assert table.match.awaited == {table.waiting}
    await table.later()
    assert by_bot(table, 1)
    assert await table.note() == say("plan.made")


# ---------------------------------------------------------------------------------------------- what is void


async def hand_over(table: Table) -> None:
    await table.match.let_play(table.waiting, next(press_ids))
    table.conditions.match_changed(table.match)


async def hand_over_and_take_back(table: Table) -> None:
    await hand_over(table)
    await table.match.take_back(table.waiting, next(press_ids))
    table.conditions.match_changed(table.match)


async def resign(table: Table) -> None:
    with table.parts.presses.take_up(table.match.id, next(press_ids)) as press:
        await press.act(table.match, table.waiting, Resign())


async def call_off(table: Table) -> None:
    for seat in (0, 1):
        with table.parts.presses.take_up(table.match.id, next(press_ids)) as press:
            await press.call_off(table.match, seat)


async def be_barred(table: Table) -> None:
    table.parts.invitations.admission.add(raising(Refused("server.barred")), None)


@pytest.mark.parametrize("voids", [hand_over, hand_over_and_take_back, resign, call_off, be_barred])
async def test_a_plan_is_void_once_its_player_does_not_play_on_themselves(parts: Parts, voids: Any) -> None:
    table = await with_plan(parts, stand_in=StandIn.RATED)
    await voids(table)
    acts = table.match.position.acts
    if not table.match.over:
        await table.attack()
        acts += 1
    await table.later()
    assert table.match.position.acts == acts
    assert await table.kept() == []
    assert await table.note() == ""


async def test_a_match_on_hold_keeps_its_plans_until_it_goes_on(parts: Parts) -> None:
    table = await with_plan(parts)
    await table.attack()
    await parts.lifecycle.suspend(table.match, Suspension.CHANNEL_GONE)
    await table.later()
    assert by_bot(table, 0)
    with parts.presses.take_up(table.match.id, next(press_ids)) as press:
        assert await parts.lifecycle.resume(table.match, CHANNEL, table.attacker, press)
    await table.later()
    assert by_bot(table, 1)


async def test_a_plan_waits_while_its_player_is_away_and_does_not_bring_them_back(parts: Parts) -> None:
    table = await with_plan(parts)
    keeper = keeps_away(parts)
    await keeper.leave(table.match.seats[table.waiting], 1)
    await table.attack()
    await table.later()
    assert (by_bot(table, 0), table.waiting in table.match.away) == (True, True)
    again = await table.restarted()
    await (keeper := keeps_away(again.parts)).resume()
    await again.later()
    assert by_bot(again, 0), "nor does the next process make it"
    await parts.pass_time(DAY)
    await again.later()
    assert (by_bot(again, 1), again.match.away) == (True, {})
    await keeper.close()
    await again.parts.close()


def keeps_away(parts: Parts) -> AwayKeeper:
    standing = ClockStops(parts.registry, parts.clock, parts.observers)
    keeper = AwayKeeper(Absences(parts.store), parts.registry, standing, parts.scheduler)
    parts.observers.add(keeper)
    return keeper


async def test_a_plan_waits_while_all_pause(parts: Parts) -> None:
    table = await with_plan(parts)
    await table.attack()
    for seat in (0, 1):
        await table.match.agree_to_rest(seat)
    await table.later()
    assert by_bot(table, 0)
    await table.match.end_rest()
    table.conditions.match_changed(table.match)
    await table.later()
    assert by_bot(table, 1)


# ---------------------------------------------------------------------------------------------- restarts and faults


async def test_a_restart_keeps_what_was_planned_and_makes_it_once(parts: Parts) -> None:
    table = await with_plan(parts)
    await table.attack()
    again = await table.restarted()
    await again.later()
    assert by_bot(again, 1)
    once_more = await again.restarted()
    await once_more.later()
    assert by_bot(once_more, 1)
    assert await once_more.note() == say("plan.made")
    await once_more.parts.close()
    await again.parts.close()


async def ended_before_the_word(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the process end as it has judged a plan, before it says what became of that."""

    with monkeypatch.context() as ends:
        ends.setattr(ConditionQueries, "conclude", raising(NotSaved("the process has ended")))
        await table.attack()
        await table.later()


async def test_a_process_that_ended_behind_the_move_does_not_make_it_twice(
    parts: Parts, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await with_plan(parts)
    await ended_before_the_word(table, monkeypatch)
    assert by_bot(table, 1)
    assert [each.move for each in await table.kept()] == ["hit"]
    again = await table.restarted()
    await again.attack()
    await again.later()
    assert by_bot(again, 1), "it was planned for the question before"
    assert await again.kept() == []
    await again.parts.close()


async def test_a_process_that_ended_before_the_word_judges_again_and_tells(
    parts: Parts, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await Table.laid(parts)
    await table.plan("haymaker", haymaker.TakeHit(), "hit")
    await ended_before_the_word(table, monkeypatch)
    again = await table.restarted()
    await again.later()
    assert (by_bot(again, 0), await again.note()) == (True, say("plan.unfit"))
    await again.parts.close()


@pytest.mark.parametrize("nth", [1, 2])
async def test_what_can_not_be_saved_is_tried_again(parts: Parts, nth: int) -> None:
    """The first write is the move, the second the word."""
    table = await with_plan(parts)
    await table.attack()
    if nth == 1:
        parts.store.fail_next_write(NotSaved("no room"))  # type: ignore[attr-defined]  # a MemoryStore
    else:
        make = Conditions._make

        async def make_and_fail(*given: Any) -> bool:
            made = await make(*given)
            parts.store.fail_next_write(NotSaved("no room"))  # type: ignore[attr-defined]  # a MemoryStore
            return made

        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(Conditions, "_make", make_and_fail)
            await parts.pass_time(LATE)
    await table.later()
    await table.later()
    assert by_bot(table, 1)
    assert [each.move for each in await table.kept()] == ([""] if nth == 1 else [])


async def test_the_rows_of_a_match_that_is_over_go_at_the_next_start(parts: Parts) -> None:
    table = await with_plan(parts)
    await table.conditions.close()
    await resign(table)
    others = Parts(parts.store, parts.scheduler, 2)
    started = conditions(others)
    await others.restorer.begin()
    await started.resume()
    await others.restorer.run()
    await others.pass_time(LATE)
    assert await table.kept() == []
    await started.close()
    await others.close()


@pytest.mark.parametrize("terms", [{"clock": "blitz"}, {"game": "champions"}])
async def test_only_slow_matches_of_games_with_occasions_are_looked_at(
    parts: Parts, terms: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[str] = []

    async def of_match(_: ConditionQueries, match_id: str) -> list[Any]:
        looked.append(match_id)
        return []

    monkeypatch.setattr(ConditionQueries, "of_match", of_match)
    table = await Table.laid(parts, **terms)
    await table.later()
    assert looked == []
    slow = await Table.laid(parts)
    await slow.later()
    assert {*looked} == {slow.match.id}, "also where nobody has planned anything"
