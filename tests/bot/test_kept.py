"""What is kept in memory is counted, and stays within its bound."""

from __future__ import annotations

import gc

import bot.ui.cells
from bot import kept
from bot.kept import Count, Kept
from bot.ops.metrics import Metrics


def count_of(name: str) -> Count | None:
    return next((each for each in kept.counts() if each.name == name), None)


def test_above_its_bound_what_was_set_first_is_dropped() -> None:
    found: Kept[int, str] = Kept("test", 3)
    for number in range(5):
        found[number] = str(number)
        assert len(found) <= 3
    assert list(found) == [2, 3, 4]
    found.touch((2, 99))
    found.update({5: "5"})
    assert found.setdefault(6, "6") == found.setdefault(6, "") == "6"
    assert list(found) == [2, 5, 6]


def test_what_is_in_use_stays_and_has_its_own_room() -> None:
    in_use = range(100)
    found: Kept[int, None] = Kept("test", 40, lambda: in_use)
    for number in range(10_000):
        found[number] = None
        assert len(found) <= 40 + len(in_use)
    assert set(in_use) <= found.keys()
    assert 9_999 in found


def test_everything_under_one_name_is_counted_together_and_what_is_gone_no_longer() -> None:
    one, two = Kept[int, int]("of two", 3), Kept[int, int]("of two", 4)
    one[1] = two[1] = two[2] = 0
    open_things = Kept[int, int]("without a bound")
    assert count_of("of two") == Count("of two", 3, 7)
    assert count_of("without a bound") == Count("without a bound", 0, None)
    del one, two, open_things
    gc.collect()
    assert count_of("of two") is None


def test_results_that_functions_remember_are_counted_by_their_modules() -> None:
    bot.ui.cells.cells("🂡")
    remembered = [each for each in kept.counts() if each.name.startswith("bot.ui.cells.")]
    assert any(each.most is not None and 0 < each.size <= each.most for each in remembered)
    assert Count("bot.ui.cells._wide_glyphs", 1, None) in remembered  # it has one result


def test_metrics_have_sizes_and_bounds() -> None:
    metrics, own = Metrics(), Kept[int, int]("shown", 9)
    own[1] = 1
    text = metrics.text(0).decode()
    assert 'cardroom_kept{of="shown"} 1.0' in text
    assert 'cardroom_kept_most{of="shown"} 9.0' in text
    assert 'cardroom_kept{of="interactions that wait"} 0.0' in text
