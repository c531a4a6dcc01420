"""The command with which a match against computers begins: its options."""

from __future__ import annotations

from typing import Any, cast

import pytest

from bot.games import GAMES
from bot.gateway.command_texts import describe
from bot.play.computers.levels import levels_of
from cogs.practice.commands import Practice


@pytest.mark.parametrize("game", GAMES)
def test_where_more_than_two_can_play_one_asks_for_as_many_computers_as_fill_a_table(game: str) -> None:
    needed = cast("Any", None)  # to play, not to be described
    seats, commands = GAMES[game].info.seats, tuple(Practice(needed, needed).of(game, describe))
    numbers = [each for command in commands for each in command.parameters if each.name == "computers"]
    asked = (max(1, seats[0] - 1), seats[-1] - 1)
    expected = [asked] if levels_of(game) and seats[-1] > 2 else []
    assert [(each.type.min_value, each.type.max_value) for each in numbers] == expected
