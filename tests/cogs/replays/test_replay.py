"""A finished match as steps; what each eyes see is a law of every game (`laws.replays`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from bot.play.computers.stand_ins import TakenBack, TakenOver
from bot.play.facts.replayed_log import BrokenLog
from bot.play.match_state import codec
from bot.scheduler import ends_at
from bot.store.queries.invitations import StandIn
from cogs.replays.replay import STRIDE, Eyes, Replay, read_eyes
from engines.game import AnyGame, Event, fold
from tests.bot.play.exported import exported

NOW = 1_900_000_000_000


def replayed(key: str = "haymaker") -> Replay:
    """A match that was played by chance."""
    match = exported(key)
    return Replay(match.row, match.records, match.result, NOW)


def test_its_steps_are_the_records_with_what_was_done_when() -> None:
    match, replay = exported("haymaker"), replayed()
    assert [step.number for step in replay.steps] == list(range(replay.last + 1))
    assert [(step.actor, step.at) for step in replay.steps] == [(each.actor, each.at) for each in match.records]
    assert replay.steps[0].action is None
    assert replay.steps[1].action == codec("haymaker").decode(match.records[1].action or "")


def test_every_step_is_found_from_any_other(monkeypatch: pytest.MonkeyPatch) -> None:
    replay = replayed("tivmiv")
    assert replay.last > 2 * STRIDE
    start = replay.game.start(replay.options, len(replay.seats))
    for step in (replay.last, 0, replay.last // 2, replay.last // 2 - 1, 1, replay.last):
        facts = [fact for each in replay.steps[: step + 1] for fact in each.facts]
        assert replay.state(step) == fold(replay.game, start, facts)
    folded: list[int] = []

    def counted(game: AnyGame, state: Any, facts: Sequence[Event]) -> Any:
        folded.append(len(facts))
        return fold(game, state, facts)

    monkeypatch.setattr("cogs.replays.replay.fold", counted)
    replay.state(replay.last - 1)
    assert len(folded) < STRIDE


@pytest.mark.parametrize("step", [-1, 10_000])
def test_there_is_nothing_beyond_the_first_and_the_last_step(step: int) -> None:
    with pytest.raises(IndexError):
        replayed().see(step, Eyes())


def test_a_match_that_is_played_a_closed_deal_of_the_day_and_a_log_with_a_gap_are_never_replayed() -> None:
    match = exported("haymaker")
    with pytest.raises(RuntimeError):
        Replay(match.row, match.records, None, NOW)
    of_day = replace(match.row, day=20_000, alone=True)
    with pytest.raises(RuntimeError):
        Replay(of_day, match.records, match.result, ends_at(20_000) - 1)
    assert Replay(of_day, match.records, match.result, ends_at(20_000)).last
    with pytest.raises(BrokenLog):
        Replay(match.row, (*match.records[:2], *match.records[3:]), match.result, NOW)


def test_c_8_it_says_which_seats_a_computer_played_on_and_until_when() -> None:
    match, written = exported("haymaker"), codec("haymaker")
    deal, *acts = match.records
    taken = replace(deal, seq=1, actor=None, action=written.encode(TakenOver((1,), "normal", (0,))), events="[]")
    back = replace(deal, seq=2, actor=1, action=written.encode(TakenBack()), events="[]")
    records = (deal, taken, back, *[replace(each, seq=each.seq + 2) for each in acts])
    replay = Replay(replace(match.row, stand_in=StandIn.RATED), records, match.result, NOW)
    assert [replay.see(step, Eyes()).stand_ins for step in range(4)] == [frozenset(), {1}, frozenset(), frozenset()]
    assert replay.see(1, Eyes()).facts == ()


@pytest.mark.parametrize("name", ["", "2", "c", "-1", "00b", "01", "1a", "٣"])
def test_nobody_elses_eyes_are_read(name: str) -> None:
    with pytest.raises(ValueError, match="nobody"):
        read_eyes(name, 2)
