"""What the laws know of presses that the database does not say: which one began a match, for its deal does not name it,
and which ones a packed log had."""

from __future__ import annotations

from pathlib import Path

from bot.store.queries.matches import Record
from bot.store.sqlite.store import SqliteStore
from tests.bot.store.packing import pack_all
from tests.bot.store.rows import opened, record, result
from tests.simulation.happenings import DiskImage
from tests.simulation.history import History, Pressed, Written

MATCH = "m1"


def pressed(number: int, at: float, came: float, failed_at: float | None) -> Pressed:
    return Pressed(number, 7, MATCH, "start", "", (), 1, at, [(came, 1)], failed_at=failed_at)


def begun_by(*presses: Pressed) -> int:
    """The press by which a match was begun at 20 s."""
    history = History()
    history.presses = {each.id: each for each in presses}
    found = history.press_of(Written(20.0, Record(MATCH, 0, None, None, None, "[]", 0), (), over=False))
    assert found is not None
    return found.id


def test_a_deal_belongs_to_a_press_that_came_in_time_rather_than_to_a_later_one_that_did_not() -> None:
    in_time, too_late = pressed(1, 5.0, 5.1, 8.0), pressed(2, 9.0, 19.0, 12.0)
    assert begun_by(in_time, too_late) == 1
    assert begun_by(too_late) == 2, "alone it is found out"


def test_a_deal_belongs_to_the_last_press_of_those_that_did_not_fail() -> None:
    failed = pressed(3, 5.0, 19.5, 8.0)
    assert begun_by(pressed(1, 15.0, 15.1, None), pressed(2, 16.0, 16.1, None), failed) == 2


async def test_the_presses_of_a_packed_log_are_known_from_when_it_was_packed(tmp_path: Path) -> None:
    history = History()
    with history.tapping():
        store = await SqliteStore.open(tmp_path / "cardroom.db", now=lambda: 1500)
        try:
            await opened(store, "m1")
            await store.append(record(1, "m1", interaction=71), (), result("m1"))
            await opened(store, "m2")
            await store.end_match(result("m2", ranks=(), counted=False), 72)
            assert await pack_all(store) == ["m1", "m2"]
            assert await store.match_of_interaction(71) is None
        finally:
            await store.close()
    log = history.log_of(DiskImage(1, 1.0, tmp_path, "end"))
    assert log.presses == {71: "m1", 72: "m2"}
    assert log.times_applied == {71: 1, 72: 1}
