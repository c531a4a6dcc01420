"""What the bot posts because of one person: a few a minute, by the channel's slow mode, the same thing once an hour."""

from __future__ import annotations

from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest

from bot.budgets import POSTS_COUNT_FOR, SAME_POST_AFTER
from bot.play.refusals import Refused
from cogs.interactions.post_budget import PostBudget

BEGUN = 1_800_000_000


def interaction(at: float = 0, user: int = 1, channel: int = 5, slow_mode: int = 0, *, may_skip: bool = False) -> Any:
    return SimpleNamespace(
        user=SimpleNamespace(id=user),
        channel_id=channel,
        created_at=datetime.fromtimestamp(BEGUN + at, UTC),
        channel=SimpleNamespace(slowmode_delay=slow_mode),
        permissions=SimpleNamespace(manage_messages=may_skip, manage_channels=False, bypass_slowmode=False),
    )


def post(budget: PostBudget, by: Any, what: object = None) -> str:
    """Post something; the key of the refusal, with the seconds until it may be, or empty."""
    try:
        with budget.spending(by, what):
            return ""
    except Refused as refused:
        return f"{refused.key} {int(str(refused.values['when'])[3:-3]) - BEGUN}"


def test_a_person_has_so_many_posts_a_minute_in_all_channels_together() -> None:
    budget = PostBudget(2)
    assert [post(budget, interaction(at, channel=at)) for at in range(2)] == ["", ""]
    assert post(budget, interaction(2)) == f"post.too_many {POSTS_COUNT_FOR:.0f}"
    assert post(budget, interaction(2, user=2)) == ""
    assert post(budget, interaction(POSTS_COUNT_FOR)) == ""


def test_the_same_thing_is_posted_once_an_hour_in_a_channel_whoever_asks() -> None:
    budget = PostBudget(9)
    assert post(budget, interaction(), "replay") == ""
    assert post(budget, interaction(1, user=2), "replay") == f"post.again {SAME_POST_AFTER:.0f}"
    assert post(budget, interaction(1), "picture") == ""
    assert post(budget, interaction(1, channel=6), "replay") == ""
    assert post(budget, interaction(SAME_POST_AFTER), "replay") == ""


def test_slow_mode_counts_for_those_whom_it_slows_down() -> None:
    budget = PostBudget(9)
    assert post(budget, interaction(slow_mode=30)) == ""
    assert post(budget, interaction(10, slow_mode=30)) == "post.slow_mode 30"
    assert post(budget, interaction(10, channel=6)) == ""
    assert post(budget, interaction(10, slow_mode=30, may_skip=True)) == ""
    assert post(budget, interaction(40, slow_mode=30)) == ""


def test_what_was_not_posted_does_not_count_and_presses_may_arrive_in_another_order() -> None:
    budget = PostBudget(1)
    with pytest.raises(Refused, match="no room"), budget.spending(interaction(), "replay"):
        raise Refused("no room")
    assert post(budget, interaction(slow_mode=60), "replay") == ""
    budget = PostBudget(9)
    assert [post(budget, interaction(at)) for at in (0.2, 0.1)] == ["", ""]


def test_many_people_are_forgotten_when_nothing_keeps_them_waiting() -> None:
    budget = PostBudget(1)
    for user in range(1100):
        assert post(budget, interaction(user / 10, user=user), user) == ""
    assert len(vars(budget)["_things"]) == 1100, "each may keep others waiting for an hour"
    assert post(budget, interaction(100_000)) == ""
    assert all(len(vars(budget)[name]) <= 1024 for name in ("_lately", "_here", "_things"))
