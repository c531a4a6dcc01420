"""*Why did my rating change*: one's own rating and nobody else's, and every reason why a match weighed less."""

from __future__ import annotations

import pytest

from bot.ratings import NEW, Rating
from bot.store.match_weights import FULL, MatchWeight
from bot.store.scoring import RatingChange
from bot.ui.catalogue import translations
from bot.ui.screen import Text
from cogs.leaderboards.screens import percent, rating_screen

WORDS = translations("en")


def text_of(*changes: RatingChange, seat: int = 0) -> str:
    (section,) = rating_screen(changes, seat, WORDS).sections
    assert isinstance(section, Text)
    return section.text


def change(before: Rating, after: Rating, weight: MatchWeight = FULL) -> RatingChange:
    return RatingChange(before, after, 5, weight)


UP = change(NEW, Rating(27.5, 8.0))
DOWN = change(Rating(35.0, 2.0), Rating(34.0, 2.0))


def test_it_says_before_after_and_what_was_expected_and_nothing_of_the_others_numbers() -> None:
    shown = text_of(UP, DOWN)
    assert "Before this match: 1000 ±1000. After it: **1100 ±960** (+100)." in shown
    assert "your chance to win was 28%" in shown
    assert "counts in full" in shown
    assert "provisional" in shown
    assert "1400" not in shown
    assert "1360" not in shown


def test_a_settled_loser_reads_a_loss_and_with_more_than_two_the_chance_of_coming_first() -> None:
    shown = text_of(UP, DOWN, seat=1)
    assert "(−40)" in shown
    assert "your chance to win was 72%" in shown
    assert "provisional" not in shown
    assert "your chance to come first was 33%" in text_of(UP, UP, UP)


@pytest.mark.parametrize(
    ("weight", "reason"),
    [
        (MatchWeight(repeated=0.25), "one is ahead already, so one more match says less. That alone leaves 25%."),
        (MatchWeight(newcomers=0.03), "You or an opponent has met few people in this game here."),
    ],
)
def test_each_factor_below_one_has_its_reason_and_no_other(weight: MatchWeight, reason: str) -> None:
    shown = text_of(change(NEW, NEW, weight), UP)
    assert f"counts **{percent(weight.whole)}%** for you, because:" in shown
    assert reason in shown
    assert shown.count("That alone leaves") == 1


def test_reasons_are_listed_together() -> None:
    shown = text_of(change(NEW, NEW, MatchWeight(0.5, 0.3)), UP)
    assert "counts **15%**" in shown
    assert shown.count("That alone leaves") == 2


@pytest.mark.parametrize(("share", "shown"), [(0, 0), (0.001, 1), (0.5, 50), (0.999, 99), (1, 100)])
def test_little_never_reads_as_nothing_nor_much_as_all(share: float, shown: int) -> None:
    assert percent(share) == shown
