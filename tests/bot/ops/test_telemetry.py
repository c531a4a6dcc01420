"""Telemetry and its figures: each event moves its own figure alone."""

from __future__ import annotations

import inspect

import pytest

from bot.ops.metrics import Metrics
from bot.telemetry import Telemetry
from tests.figures import now

EVENTS: dict[str, tuple[tuple[object, ...], str]] = {
    "identify": ((), "cardroom_identifies_total"),
    "rate_limited": (("shared",), "cardroom_rate_limited_total scope=shared"),
    "invalid_request": ((403,), "cardroom_invalid_requests_total status=403"),
    "request_failed": ((), "cardroom_failed_requests_total"),
    "press_late": ((), "cardroom_late_interactions_total kind=press"),
    "command_late": ((), "cardroom_late_interactions_total kind=command"),
    "answer_refused": ((10062,), "cardroom_answers_refused_total code=10062"),
    "boards_in_words": (("late",), "cardroom_boards_in_words_total why=late"),
    "answer_given_plain": ((50035,), "cardroom_answers_given_plain_total code=50035"),
    "answer_slow": ((), "cardroom_answers_too_slow_total"),
    "fault": (("painting",), "cardroom_faults_total doing=painting"),
    "replay_failed": ((), "cardroom_replay_mismatches_total of=log"),
    "deadlines_repaired": ((), "cardroom_replay_mismatches_total of=deadlines"),
    "store_failed": ((), "cardroom_store_failures_total"),
    "backup_failed": ((), "cardroom_backup_failures_total"),
    "newest_backup": ((1.0,), "cardroom_newest_backup_timestamp_seconds"),
    "backups_take": ((1,), "cardroom_backups_bytes"),
    "disk_free": ((1,), "cardroom_backups_disk_free_bytes"),
    "board_lag": ((0.0,), "cardroom_board_lag_seconds_count"),
    "board_edited": (("interaction",), "cardroom_board_edits_total by=interaction"),
    "computer_answered": ((0.0,), "cardroom_computer_answer_seconds_count"),
    "computer_cut_short": ((), "cardroom_computer_answers_cut_short_total"),
    "computer_fell_back": (("late",), "cardroom_computer_fallbacks_total why=late"),
    "worker_died": ((), "cardroom_computer_workers_died_total"),
    "loop_lag": ((0.0,), "cardroom_loop_lag_seconds_count"),
}
"""Every event that counts by itself: what it is reported with, and the figure that it raises by one."""

PAIR = {"interaction_arrived", "first_response"}
"""The two events that make one figure together."""


def methods(of: type) -> dict[str, inspect.Signature]:
    return {
        name: inspect.signature(method)
        for name, method in inspect.getmembers(of, inspect.isfunction)
        if not name.startswith("_")
    }


def moved(before: dict[str, float], after: dict[str, float]) -> dict[str, float]:
    """The counts that have changed and by how much; a histogram by its count alone."""
    changed = {name: value - before.get(name, 0) for name, value in after.items() if value != before.get(name, 0)}
    return {name: by for name, by in changed.items() if "_bucket" not in name and "_created" not in name}


def test_metrics_count_every_event() -> None:
    assert set(methods(Telemetry)) == EVENTS.keys() | PAIR
    assert {name for name in methods(Telemetry) if getattr(Metrics, name) is getattr(Telemetry, name)} == set()


@pytest.mark.usefixtures("silent")
@pytest.mark.parametrize("event", EVENTS)
def test_an_event_raises_its_own_figure_and_no_other(event: str) -> None:
    values, figure = EVENTS[event]
    metrics = Metrics()
    before = now(metrics)
    getattr(metrics, event)(*values)
    assert moved(before, now(metrics)) == {figure: 1}


def test_a_first_response_is_timed_once_from_the_arrival_of_its_interaction() -> None:
    metrics = Metrics()
    before = now(metrics)
    metrics.interaction_arrived(1)
    waiting = {"cardroom_kept of=interactions that wait": 1}
    assert moved(before, now(metrics)) == waiting
    metrics.first_response(2)  # of which nothing is known
    assert moved(before, now(metrics)) == waiting
    metrics.first_response(1)
    metrics.first_response(1)
    found = moved(before, now(metrics))
    assert 0 <= found.pop("cardroom_first_response_seconds_sum", 0) < 5
    assert found == {"cardroom_first_response_seconds_count": 1}
