"""A press tells the observers what it has changed: once, when it is left, and whoever handles it cannot forget to."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from bot.budgets import QUIET_AFTER
from bot.play.live_match import BoardLocation, LiveMatch
from bot.play.match_lifecycle import MatchLifecycle
from bot.play.match_press import MatchPress
from bot.play.match_state import Offer
from bot.play.matchmaking.invitations import Proposal, Terms
from bot.play.matchmaking.seating import Seating
from bot.play.own_acts import SeenQuestion
from bot.play.refusals import MatchFailed, StaleQuestion, Unsaved
from bot.store.errors import NotSaved
from bot.store.queries.invitations import InvitationKind, StandIn
from bot.store.queries.matches import Suspension
from engines import GAMES
from engines.game import IllegalAction, Resign
from tests.bot.play.parts import ANN, BOB, CHANNEL, ELSEWHERE, GUILD, MESSAGE, Parts, an_act, on_turn, press_ids
from tests.failing_rules import fail_rules, raising
from tests.known import there


async def made(press: MatchPress, match: LiveMatch) -> None:
    """Answer the question on the table, whatever the offer's name is."""
    seat, act = on_turn(match), an_act(match)

    async def meant(_: Offer | None) -> object:
        return act

    await press.answer(match, seat, "whatever", SeenQuestion(match.window_number), meant)


async def test_the_observers_are_told_once_and_after_the_answer(parts: Parts) -> None:
    match = await parts.opened()
    with parts.presses.take_up(match.id, next(press_ids)) as press:
        await made(press, match)
        assert match.position.acts == 1
        assert parts.heard.take() == []  # the answer is given here
    assert parts.heard.take() == [("changed", match)]


async def test_the_observers_are_told_though_the_answer_fails(parts: Parts) -> None:
    match = await parts.opened()

    async def press_and_fail_to_answer() -> None:
        with parts.presses.take_up(match.id, next(press_ids)) as press:
            await made(press, match)
            raise ConnectionError("Discord did not take the answer")

    with pytest.raises(ConnectionError):
        await press_and_fail_to_answer()
    assert parts.heard.take() == [("changed", match)]


async def test_several_changes_of_a_press_are_told_once(parts: Parts) -> None:
    match = await parts.opened()
    with parts.presses.take_up(match.id, next(press_ids)) as press:
        press.note_changed(match)
        press.note_changed(match)
    assert parts.heard.take() == [("changed", match)]


async def test_a_press_changes_one_match(parts: Parts) -> None:
    first, second = await parts.opened(), await parts.opened(BOB, ANN)
    with parts.presses.take_up(first.id, next(press_ids)) as press:
        press.note_changed(first)
        with pytest.raises(ValueError, match="one match"):
            press.note_changed(second)


async def test_what_is_refused_is_told_to_nobody(parts: Parts, monkeypatch: pytest.MonkeyPatch) -> None:
    match = await parts.opened()

    async def never(_: Offer | None) -> object:
        raise AssertionError("a stale press has no meaning")

    async def senseless(_: Offer | None) -> object:
        return an_act(match)

    with parts.presses.take_up(match.id, next(press_ids)) as press:
        with pytest.raises(StaleQuestion):
            await press.answer(match, on_turn(match), "whatever", SeenQuestion(match.window_number + 1), never)
        with pytest.raises(IllegalAction):
            await press.answer(match, 1 - on_turn(match), "whatever", SeenQuestion(match.window_number), senseless)

    monkeypatch.setattr(parts.store, "append", raising(NotSaved("the disk is full")))
    with parts.presses.take_up(match.id, next(press_ids)) as press, pytest.raises(Unsaved):
        await made(press, match)
    assert parts.heard.take() == []
    assert match.position.acts == 0


async def test_a_rule_that_fails_is_told_once_saved_and_stops_the_clock(
    parts: Parts, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await parts.opened()
    fail_rules(monkeypatch, match, ValueError("a card"))
    for told in ([("changed", match)], []):  # it fails once; then it has failed already
        with parts.presses.take_up(match.id, next(press_ids)) as press, pytest.raises(MatchFailed):
            await press.act(match, 0, Resign())
        assert parts.heard.take() == told
    assert there(await parts.store.match(match.id)).paused == match.failed is not None
    await parts.pass_time(3_600_000)
    assert match.position.acts == 0


async def test_nobody_loses_by_the_clock_at_a_start_after_a_rule_failed_and_that_could_not_be_saved(
    parts: Parts, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await parts.opened()
    with monkeypatch.context() as failing:
        fail_rules(failing, match, ValueError("a card"))
        with monkeypatch.context() as full:
            full.setattr(parts.store, "set_paused", raising(NotSaved("the disk is full")))
            with parts.presses.take_up(match.id, next(press_ids)) as press, pytest.raises(Unsaved):
                await press.act(match, 0, Resign())
        await parts.pass_time(3_600_000)
    await parts.store.record_heartbeat(parts.now())
    await parts.clock.close()
    later = Parts(parts.store, parts.scheduler)
    await later.restore_all()
    later.clock.resume()
    await later.pass_time(10_000)
    (restored,) = later.registry.live()
    assert (restored.failed, restored.position.acts) == (None, 0)
    await later.close()


async def test_who_resumes_a_match_and_where_it_was_is_told(parts: Parts) -> None:
    match = await parts.opened()
    await parts.lifecycle.suspend(match, Suspension.NO_ACCESS)
    assert parts.heard.take() == [("changed", match)]
    with parts.presses.take_up(match.id, next(press_ids)) as press:
        assert await parts.lifecycle.resume(match, ELSEWHERE, 1, press)
        assert parts.heard.take() == []
    assert parts.heard.take() == [("resumed", (match, BoardLocation(CHANNEL, MESSAGE), 1))]
    with parts.presses.take_up(match.id, next(press_ids)) as press:
        assert not await parts.lifecycle.resume(match, CHANNEL, 0, press)
    assert parts.heard.take() == []


# ---------------------------------------------------------------------------------------------- nobody can forget


async def _act(parts: Parts, press: MatchPress) -> None:
    await press.act(await parts.opened(), 0, Resign())


async def _answer(parts: Parts, press: MatchPress) -> None:
    await made(press, await parts.opened())


async def _make_planned(parts: Parts, press: MatchPress) -> None:
    match = await parts.opened()
    await press.make_planned(match, on_turn(match), "whatever", match.window_number, an_act(match))


async def _call_off(parts: Parts, press: MatchPress) -> None:
    assert not await press.call_off(await parts.opened(), 0)


async def _let_play(parts: Parts, press: MatchPress) -> None:
    assert await press.let_play(await parts.opened(stand_in=StandIn.RATED), 0)


async def _take_back(parts: Parts, press: MatchPress) -> None:
    match = await parts.opened(stand_in=StandIn.RATED)
    await match.let_play(0, next(press_ids))
    assert await press.take_back(match, 0)


async def _resume(parts: Parts, press: MatchPress) -> None:
    match = await parts.opened()
    await parts.lifecycle.suspend(match, Suspension.NO_ACCESS)
    parts.heard.take()
    assert await parts.lifecycle.resume(match, ELSEWHERE, 0, press)


async def _open(parts: Parts, press: MatchPress) -> None:
    invitation = await parts.invited()
    await parts.lifecycle.open(replace(invitation, seated=(ANN, BOB), message_id=MESSAGE), press)


async def _take_seat(parts: Parts, press: MatchPress) -> None:
    invitation = await parts.invited()
    assert isinstance(await parts.seating.take_seat(invitation.id, BOB, MESSAGE, press), LiveMatch)


async def _start(parts: Parts, press: MatchPress) -> None:
    table = await parts.inviting.invite(Proposal(_terms(), ANN, kind=InvitationKind.TABLE))
    await parts.seating.take_seat(table.id, BOB, MESSAGE, press)
    assert parts.heard.take() == []
    await parts.seating.start(table.id, ANN, MESSAGE, press)


async def _start_alone(parts: Parts, press: MatchPress) -> None:
    table = await parts.alone()
    await parts.seating.start_alone(table.id, ANN, press)


async def _show(parts: Parts, press: MatchPress) -> None:
    table = await parts.alone()
    with parts.presses.take_up(table.id, next(press_ids)) as beginning:
        match = await parts.seating.start_alone(table.id, ANN, beginning)
    parts.heard.take()
    assert await parts.lifecycle.show(match, CHANNEL, press)


async def _ready(parts: Parts, press: MatchPress) -> None:
    table = await parts.inviting.invite(Proposal(_terms(), ANN, kind=InvitationKind.TABLE))
    await parts.seating.take_seat(table.id, BOB, MESSAGE, press)
    await parts.pass_time(1000 * QUIET_AFTER)
    await parts.seating.ask_ready(table.id, ANN)
    assert parts.heard.take() == []
    await parts.seating.ready(table.id, BOB, MESSAGE, press)


def _terms() -> Terms:
    return Terms(GUILD, CHANNEL, "haymaker", GAMES["haymaker"].info.options(), "blitz")


async def _open_attempt(parts: Parts, press: MatchPress) -> None:
    assert await parts.daily.begin(await parts.daily.deal(GUILD, "haymaker"), ANN, CHANNEL, press) is not None


CHANGES: dict[Callable[..., object], Callable[[Parts, MatchPress], Awaitable[None]]] = {
    MatchPress.act: _act,
    MatchPress.answer: _answer,
    MatchPress.call_off: _call_off,
    MatchPress.let_play: _let_play,
    MatchPress.make_planned: _make_planned,
    MatchPress.take_back: _take_back,
    MatchLifecycle.open: _open,
    MatchLifecycle.open_at_once: _open_attempt,
    MatchLifecycle.resume: _resume,
    MatchLifecycle.show: _show,
    Seating.take_seat: _take_seat,
    Seating.start: _start,
    Seating.start_alone: _start_alone,
    Seating.ready: _ready,
}
"""Everything that a press can do to a match."""


@pytest.mark.parametrize("change", CHANGES.values(), ids=[method.__qualname__ for method in CHANGES])
async def test_whatever_a_press_does_to_a_match_is_told(
    parts: Parts, change: Callable[[Parts, MatchPress], Awaitable[None]]
) -> None:
    with parts.presses.take_up("whatever", next(press_ids)) as press:
        await change(parts, press)
        assert parts.heard.take() == []
    (told,) = parts.heard.take()
    assert told[0] in {"changed", "resumed"}


def test_these_are_all_the_things_that_a_press_can_do() -> None:
    able = {
        method
        for owner in (MatchPress, MatchLifecycle, Seating)
        for name, method in inspect.getmembers(owner, inspect.iscoroutinefunction)
        if not name.startswith("_") and (owner is MatchPress or "press" in inspect.signature(method).parameters)
    }
    assert able == set(CHANGES)
