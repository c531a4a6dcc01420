"""The animated picture of a match: which steps it shows, what is open in them, and its description."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from bot.art.animation_picture import MOST_BYTES, MOST_FRAMES, Animation
from bot.art.layout import TableLayout
from bot.ui.catalogue import translations
from cogs.replays.exports import Exported, animation, animation_file, chosen_steps
from cogs.replays.replay import Replay
from cogs.screens.presenter import Pictured, Reader
from cogs.screens.renderer import utf16_units
from cogs.screens.tables import table_layout
from laws.bodies import match_of
from laws.play import MatchLog, random_match
from laws.replays import replay_of
from tests.bot.play.exported import played, row_of
from tests.games.cases import case_of, deal_of

pytestmark = pytest.mark.slow  # draws animations

GAMES = ("haymaker", "unbreakable", "ciq", "tivmiv", "champions")


def log_of(key: str, seats: int) -> MatchLog:
    """A match of a game, played by chance at its first table with this many seats."""
    setting = next(setting for setting, players in case_of(key).setups if players == seats)
    rng = random.Random(f"animation {key} {seats}")
    return random_match(deal_of(key, setting, seats, rng), rng)


def animated(log: MatchLog) -> Animation:
    return animation(replay_of(log)[0], case_of(log.deal.game.info.key).presenter)


def exported_of(log: MatchLog, names: tuple[str, ...] = ("Ann", "Bo", "Cy", "Di", "Ed", "Flo")) -> Exported:
    reader = Reader(translations("en"), names[: log.deal.seats])
    return Exported(replay_of(log)[0], case_of(log.deal.game.info.key).presenter, reader)


def open_hands(layout: TableLayout) -> int:
    """How many cards of hands lie open."""
    return sum(len(strip.hand.open_cards) for strip in layout.strips)


def end_of(log: MatchLog) -> TableLayout:
    """The table that the board shows at the end."""
    presenter = case_of(log.deal.game.info.key).presenter
    assert isinstance(presenter, Pictured)
    return table_layout(match_of(log.deal, log.events(), len(log.moves)), presenter, None)


# ---------------------------------------------------------------------------------------------- frames


@pytest.mark.parametrize("key", GAMES)
def test_every_game_ends_with_the_table_of_its_end_and_has_at_most_45_frames(key: str) -> None:
    log = log_of(key, 2)
    made = animated(log)
    assert made.frames[-1].layout == end_of(log)
    assert any(strip.winner for strip in made.frames[-1].layout.strips) == (
        len(set(replay_of(log)[0].result.ranks)) > 1
    )
    assert min(len(log.moves), 20) < len(made.frames) <= MOST_FRAMES
    assert made.frames[-1].milliseconds == max(frame.milliseconds for frame in made.frames)


def test_a_short_match_has_a_frame_for_each_move_and_one_that_was_called_off_its_deal_alone() -> None:
    log = log_of("haymaker", 2)
    assert len(log.moves) < MOST_FRAMES
    assert len(animated(log).frames) == 1 + len(log.moves)
    match = played(row_of("haymaker", "default", 2), random.Random(1), moves=0)
    made = animation(Replay(match.row, match.records, match.result, 1_900_000_000_000), case_of("haymaker").presenter)
    (frame,) = made.frames
    assert not any(strip.winner for strip in frame.layout.strips)


def test_of_two_players_both_hands_are_open_and_of_more_none_until_the_end() -> None:
    two, four = animated(log_of("ciq", 2)), animated(log_of("ciq", 4))
    assert all(open_hands(frame.layout) for frame in two.frames[1:3])
    assert [frame for frame in four.frames[:-1] if open_hands(frame.layout)] == []
    assert open_hands(four.frames[-1].layout)


def test_of_a_long_match_what_mattered_is_shown_longer() -> None:
    log = log_of("tivmiv", 3)
    made = animated(log)
    assert len(log.moves) > 10 * MOST_FRAMES
    assert len(made.frames) == MOST_FRAMES
    assert len({frame.milliseconds for frame in made.frames[1:-1]}) == 2
    assert made == animated(log)


def test_a_game_without_pictures_has_no_animated_one() -> None:
    class Plain:
        """A presenter of another package."""

    presenter: Any = Plain()
    with pytest.raises(TypeError):
        animation(replay_of(log_of("haymaker", 2))[0], presenter)


# ---------------------------------------------------------------------------------------------- choosing steps


def test_the_first_and_the_last_step_matter_most_then_the_heaviest_then_what_lies_between() -> None:
    chosen = chosen_steps(range(101), {30: 2, 40: 5, 50: 2}, 8)
    assert chosen == (0, 100, 40, 50, 75, 20, 62, 87)


def test_as_many_steps_are_chosen_as_there_is_room_for_each_once_and_from_every_part() -> None:
    weights = {step: step % 7 for step in range(500)}
    for most in (2, 3, 10, MOST_FRAMES):
        chosen = chosen_steps(range(500), weights, most)
        assert len(chosen) == len(set(chosen)) == most
    assert sorted(chosen_steps(range(0, 40, 2), weights, MOST_FRAMES)) == [*range(0, 40, 2)]
    assert chosen_steps([0], {}, MOST_FRAMES) == (0,)
    weights = dict.fromkeys(range(100), 9)  # all that matters is at the beginning
    spread = sorted(chosen_steps(range(1000), weights, MOST_FRAMES))
    assert max(after - before for before, after in pairwise(spread)) < 60


# ---------------------------------------------------------------------------------------------- the file


def test_its_file_is_covered_and_described_by_players_moves_and_the_end() -> None:
    log = log_of("haymaker", 2)
    file = animation_file(exported_of(log, ("Ann", "B\\_o")))
    assert file.name == "SPOILER_match.gif"
    assert file.content.startswith(b"GIF89a")
    first, *table = file.description.splitlines()
    moves = len(log.moves)
    assert first == f"A match of Haymaker, animated, {moves} moves. The table at the end:"
    winners = [line for line in table if ", winner, " in line]
    assert len(winners) == 1
    assert [line.split(",")[0] for line in table[:2]] == ["1 Ann", "2 B_o"]


@pytest.mark.parametrize(("key", "setting", "seats"), [("ciq", "most_packs", 6), ("tivmiv", "default", 6)])
def test_the_longest_names_fit_into_the_description(key: str, setting: str, seats: int) -> None:
    rng = random.Random(100)
    names = tuple("W" * 31 + str(seat) for seat in range(seats))
    file = animation_file(exported_of(random_match(deal_of(key, setting, seats, rng), rng), names))
    assert len(file.content) <= MOST_BYTES
    assert utf16_units(file.description) <= 1024
    assert all(name in file.description for name in names)


def test_equal_replays_have_equal_files() -> None:
    made = exported_of(log_of("champions", 3))
    assert animation_file(made) == animation_file(replace(made, replay=replay_of(log_of("champions", 3))[0]))
