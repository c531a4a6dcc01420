"""The arena's races: who sees what when, and that its computers are asked as the bot asks."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from engines.game import Seat
from engines.tivmiv import Go, Options
from laws.play import Deal
from tests.arena.races import AT_ONCE, GAME, PEOPLE, WITH_LAG, Board, Computer, Contender, Move, Person, Race, compare

SLOW = Board(3_000, 2_000)
"""Much happens before an edit of this board is seen."""


class Watching(Person):
    """A person who writes down each look: when, at which record, and how many records there were."""

    def __init__(self, median: int) -> None:
        super().__init__(median, Random(1))
        self.saw: list[tuple[int, int, int]] = []

    def looks(self, race: Race, seat: Seat, shown: int) -> Move:
        self.saw.append((race.now, shown, len(race.records) - 1))
        return super().looks(race, seat, shown)


def race(*contenders: Contender, board: Board | None = AT_ONCE, phases: int = 1) -> Race:
    """A short match that is over."""
    found = Race(contenders, Deal(GAME, Options(phases=phases), len(contenders), bytes(32)), board)
    found.run()
    return found


def acts(found: Race) -> list[tuple[Any, ...]]:
    """All records without their states."""
    return [record[:3] for record in found.records]


def test_nobody_acts_before_go_and_a_match_takes_minutes() -> None:
    found = race(*[Person(1_200, Random(seat)) for seat in range(2)], phases=6)
    assert 5 * 60_000 < found.now < 25 * 60_000
    assert found.refused > 50
    go = next(record for record in found.records if Go() in record.facts)
    assert go.at >= 5_000


def test_at_once_everybody_sees_the_newest_state() -> None:
    watching = Watching(1_200)
    race(watching, Person(1_200, Random(2)))
    assert all(shown == newest for _, shown, newest in watching.saw)


def test_a_late_board_is_seen_late_but_an_answer_to_an_own_act_is_not() -> None:
    watching = Watching(500)
    found = race(watching, Person(1_200, Random(2)), board=SLOW)
    behind = [now - found.records[shown].at for now, shown, newest in watching.saw if shown < newest]
    assert behind
    assert min(behind) >= SLOW.delay
    own = {record.at for record in found.records[:-1] if record.actor == 0}
    assert own
    assert all(shown == newest for now, shown, newest in watching.saw if now in own)


@pytest.mark.parametrize("board", [AT_ONCE, WITH_LAG])
def test_a_computer_that_is_asked_questions_plays_the_same_match(board: Board | None) -> None:
    found = [
        race(Person(1_200, Random(1)), Computer("normal", [0], "m1", asks=asks), board=board) for asks in (False, True)
    ]
    assert acts(found[0]) == acts(found[1])


def test_a_computer_decides_by_what_is_shown_alone() -> None:
    """With all later records taken away at a look, its choice of a card is the same."""

    class Checking(Computer):
        checked = 0

        def looks(self, race: Race, seat: Seat, shown: int) -> Move:
            action, delay = super().looks(race, seat, shown)
            records, memories = list(race.records), list(self._memories)
            del race.records[shown + 1 :], self._memories[shown + 1 :]
            assert super().looks(race, seat, shown)[0] == action
            self.checked += len(records) > len(race.records)
            race.records, self._memories = records, memories
            return action, delay

    checking = Checking("normal", [0], "m1")
    race(Person(700, Random(4)), checking, board=SLOW)
    assert checking.checked > 0


def test_levels_are_on_the_right_sides_of_even() -> None:
    results = [compare(level, PEOPLE["0.6 s"], 1, board=WITH_LAG).share for level in ("easy", "hard")]
    assert results == [0, 1]


def test_the_same_seed_races_the_same_matches() -> None:
    first, again = [compare("normal", PEOPLE["2 s"], 1, seed=seed) for seed in (1, 1)]
    assert first.share == again.share
