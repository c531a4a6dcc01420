"""Nobody of average strength gets above the best of thirty honest people on a board by anything but playing well.

`python -m tests.arena.farms` measures the same for all strategies and hundreds of mixtures, in more servers.
"""

from __future__ import annotations

import csv
import random
from dataclasses import replace
from statistics import mean

import pytest

from bot.store import match_weights, scoring
from bot.store.match_weights import FULL, Weighed
from laws.suite import SHARE
from tests.arena.farms import (
    ATTACKER,
    FOUND,
    PEOPLE,
    STRATEGIES,
    Strategy,
    friends_rated,
    lead_of_season,
    leads_of_all_time,
    mixture,
    populated,
)

pytestmark = pytest.mark.slow  # rates hundreds of matches for each farm

SEEDS = range(2 if SHARE >= 1 else 1)
BY_NAME = {strategy.name: strategy for strategy in STRATEGIES}
CIRCLE = BY_NAME["30 honest, 100 over 12 that lost 3 and played 72 among themselves"]
FRIENDS = BY_NAME["50 honest, 100 given by friends, 4 of them"]
HELPED = BY_NAME["10 honest, 100 over these and four friends"]
TABLES = BY_NAME["30 honest, 100 over these at tables of six"]
CUPS = BY_NAME["20 cups with these after 15 honest matches each"]
QUIET = BY_NAME["the same with a circle of 12 and four friends"]
MATCHES = 40
"""How many matches somebody plays in a month."""
HARDEST = (CIRCLE, FRIENDS, HELPED, TABLES, CUPS)
AT_TABLES_OF_THREE = (72, 87, 90)
"""Mixtures that would lead if a match moved leads in inverse proportion to the number of others."""

OF_A_SEASON = 461
"""The mixture that led a season by most, when one person could give more and twenty people were enough to be known."""


def of_all_time(strategy: Strategy) -> float:
    """By how much it leads of all time, on the average."""
    return mean(leads_of_all_time(strategy, seed)[0] for seed in SEEDS)


@pytest.mark.parametrize("strategy", HARDEST, ids=lambda each: each.name)
def test_no_farm_leads_of_all_time(strategy: Strategy) -> None:
    assert of_all_time(strategy) < 0


@pytest.mark.parametrize("strategy", [CIRCLE, TABLES], ids=lambda each: each.name)
def test_each_would_if_all_matches_weighed_the_same(strategy: Strategy, monkeypatch: pytest.MonkeyPatch) -> None:
    def unweighed(*given: object) -> list[Weighed]:
        return [
            Weighed(FULL, 0.0, 0.0, each.leads, each.familiar)
            for each in weigh(*given)  # type: ignore[arg-type]  # what `rate_match` gives
        ]

    weigh = match_weights.weigh
    monkeypatch.setattr(scoring, "weigh", unweighed)
    assert of_all_time(strategy) > 0


def test_who_is_helped_by_many_would_lead_if_leads_could_grow_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match_weights, "PLAIN", 3.0)
    assert of_all_time(HELPED) > 0


@pytest.mark.nightly  # a second each; the hardest strategies are played with each commit
@pytest.mark.parametrize("number", [*range(6), *AT_TABLES_OF_THREE])
def test_no_mixture_of_all_strategies_leads(number: int) -> None:
    strategy = mixture(random.Random(number))
    leads = [(*leads_of_all_time(strategy, seed), lead_of_season(strategy, seed)) for seed in SEEDS]
    assert all(mean(board) < 0 for board in zip(*leads, strict=True))


def test_each_strategy_was_measured_and_none_leads_nor_any_mixture() -> None:
    _, *rows = csv.reader(FOUND.read_text(encoding="utf-8").splitlines())
    assert [name for name, *_ in rows][:-1] == [strategy.name for strategy in STRATEGIES]
    assert all(int(lead) < 0 for _, *leads, _ in rows for lead in leads)


def test_games_that_nobody_else_plays_carry_nobody_up_over_all_games(monkeypatch: pytest.MonkeyPatch) -> None:
    always, everywhere = leads_of_all_time(QUIET, 1)
    assert everywhere == always
    monkeypatch.setattr(match_weights, "GROWN", match_weights.YOUNG)  # a circle is a community then
    assert leads_of_all_time(QUIET, 1)[1] > 1000


@pytest.mark.parametrize("strategy", [HELPED, FRIENDS], ids=lambda each: each.name)
def test_no_farm_leads_a_season_unless_one_person_can_give_more(
    strategy: Strategy, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert mean(lead_of_season(strategy, seed) for seed in SEEDS) < 0
    monkeypatch.setattr(scoring, "MOST_GAINED", 100.0)
    assert mean(lead_of_season(strategy, seed) for seed in SEEDS) > 0


@pytest.mark.nightly  # hundreds of matches
def test_a_mixture_led_a_season_by_what_accounts_that_know_each_other_gave_in_full(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def lead() -> float:
        return mean(lead_of_season(mixture(random.Random(OF_A_SEASON)), seed) for seed in SEEDS)

    assert lead() < 0
    monkeypatch.setattr(scoring, "MOST_GAINED", 0.5)
    monkeypatch.setattr(match_weights, "KNOWN_IN_SEASON", match_weights.KNOWN)
    assert lead() > 0


def season_after(thrown: int, seed: int) -> tuple[int, float]:
    """The place and the points of somebody average who loses matches on purpose before a season begins, and then wins
    half of forty."""
    server = populated(seed)
    for number in range(MATCHES):
        server.win(*((ATTACKER, number % 30) if number % 2 else (number % 30, ATTACKER)))
    for number in range(thrown):
        server.win(number % 30, ATTACKER)
    server.begin_month()
    played = random.Random(seed)
    results = [played.random() for _ in range(MATCHES)]
    for number, chance in enumerate(results):
        server.win(*((ATTACKER, number % 30) if chance < 0.5 else (number % 30, ATTACKER)))
    own = server.season(ATTACKER)
    return sum(server.season(user) > own for user in PEOPLE), own


@pytest.mark.parametrize("thrown", [8, 15, 30, 60])
def test_matches_thrown_before_a_season_improve_no_place_in_it(thrown: int) -> None:
    for seed in SEEDS:
        place, own = season_after(0, seed)
        thrown_place, thrown_own = season_after(thrown, seed)
        assert thrown_place >= place
        assert thrown_own <= own + 30  # whoever was let win is a little stronger by the ratings


@pytest.mark.nightly  # hundreds of matches
def test_friends_who_mostly_play_with_each_other_are_ordered_after_twenty_matches() -> None:
    assert mean(friends_rated(seed, 20, 0.8) for seed in SEEDS) > 0.70


@pytest.mark.nightly  # two seconds of ratings
def test_cups_with_the_same_deal_would_be_farmed_if_they_counted() -> None:
    shared = Strategy("20 cups in which two friends tell the cards", friends=2, cups=20, guests=28, told=True)
    assert of_all_time(replace(shared, told=False)) < 0
    assert of_all_time(shared) > 0


def test_who_gives_everything_away_has_soon_nothing_left_to_give() -> None:
    server = populated(3)
    before = [server.all_time(user) for user in (0, 1)]
    for _ in range(10):
        server.win(0, 1)
    between = [server.all_time(user) for user in (0, 1)]
    for _ in range(50):
        server.win(0, 1)
    after = [server.all_time(user) for user in (0, 1)]
    assert between[0] > before[0]
    assert abs(after[0] - between[0]) < 0.5 * abs(between[0] - before[0])
