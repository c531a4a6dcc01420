"""The choice of a deal of the day: it follows from its root alone, and falls on a deal that is worth playing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.computers.worker import Found, replied, reply_of, request_of
from engines import GAMES
from engines.deals import NO_SALT, Deal
from engines.players import deal_of_day
from engines.players.deal_of_day import LEAST, MOST, Choice, DayRequest, choose, program, seed_of
from engines.players.levels import LEVELS
from laws.suite import share_of


def request(game: str = "haymaker", level: str = "normal", root: bytes = bytes(32)) -> DayRequest:
    """A choice among deals of a game."""
    info = GAMES[game].info
    deal = Deal(game, info.rules_version, "d1", (NO_SALT,) * 2)
    return DayRequest(game, info.presets[info.recommended_for(2)], deal, level, root)


@pytest.fixture
def _few_rollouts(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a choice follows from does not depend on how many rollouts there are."""
    monkeypatch.setattr(deal_of_day, "ROLLOUTS", 8)
    monkeypatch.setattr(deal_of_day, "MATCHES", 40)


def test_the_seeds_of_a_root_are_counted_and_never_change() -> None:
    assert seed_of(bytes(32), 1).hex() == "39e43c36b1be17e0650f2be17155c5003389a2b00c9a791e3b989e9441089c5d"
    assert len({seed_of(root, count) for root in (bytes(32), b"r" * 32) for count in range(1, 50)}) == 98


@pytest.mark.usefixtures("_few_rollouts")
def test_a_choice_follows_from_its_root_and_its_level_alone() -> None:
    one = request()
    assert choose(one) == choose(replace(one))
    others = {choose(replace(one, root=bytes([first]) * 32)) for first in range(4)}
    assert len(others) > 1


def test_the_first_deal_within_the_bounds_is_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    worths = {1: 0.0, 2: 1.0, 3: 0.375, 4: 0.5}
    seeds = {seed_of(bytes(32), count): worth for count, worth in worths.items()}
    monkeypatch.setattr(deal_of_day, "_won", lambda _, seed: [seeds[seed]] * 8)
    assert choose(request()) == Choice(3, 375)
    assert LEAST <= 0.375 <= MOST


def test_if_none_is_within_the_bounds_the_nearest_of_those_tried_is(monkeypatch: pytest.MonkeyPatch) -> None:
    seeds = {seed_of(bytes(32), count): 0.3 if count == 5 else 0.1 for count in range(1, 100)}
    monkeypatch.setattr(deal_of_day, "_won", lambda _, seed: [seeds[seed]] * 20)
    assert choose(request()) == Choice(5, 300)


def test_few_enough_matches_are_played(monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[bytes] = []

    def lost(_request: DayRequest, seed: bytes, *_: object) -> float:
        played.append(seed)
        return 0.0

    monkeypatch.setattr(deal_of_day, "share", lost)
    choose(request())
    assert deal_of_day.MATCHES <= len(played) < deal_of_day.MATCHES + deal_of_day.ROLLOUTS
    assert played.count(played[0]) == deal_of_day.FIRST_LOOK, "a hopeless deal is given up early"


@pytest.mark.usefixtures("_few_rollouts")
def test_a_worker_chooses_the_same() -> None:
    one = request()
    reply = reply_of(replied(request_of(one, 30.0)))
    assert isinstance(reply, Found)
    assert Choice(**reply.found) == choose(one)


def test_a_program_is_named_by_the_versions_of_all_who_play() -> None:
    versions = {name: level.version for name, level in LEVELS["ciq"].items()}
    steady, normal, skilled = (f"{name} {versions[name]}" for name in ("steady", "normal", "skilled"))
    assert program("ciq", "skilled") == f"1, {steady} and {normal} against {skilled}"


@pytest.mark.slow
@pytest.mark.nightly(rare=True)  # seconds for each game
@pytest.mark.parametrize(("game", "level"), [("ciq", "skilled"), ("unbreakable", "skilled"), ("champions", "normal")])
def test_most_deals_that_are_chosen_are_within_the_bounds(game: str, level: str) -> None:
    chosen = [choose(request(game, level, bytes([first]) * 32)) for first in range(share_of(4, fewest=2))]
    assert sum(LEAST * 1000 <= each.worth <= MOST * 1000 for each in chosen) >= len(chosen) - 1
