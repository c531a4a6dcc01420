"""The command with which a match against computers begins: its options."""

from __future__ import annotations

from typing import Any, cast

import pytest

from bot.games import GAMES
from bot.gateway.command_texts import describe
from cogs.practice.commands import Practice


@pytest.mark.parametrize("game", GAMES)
def test_where_more_than_two_can_play_one_asks_for_one_computer_up_to_a_full_table(game: str) -> None:
    needed = cast("Any", None)  # to play, not to be described
    (command,) = Practice(needed, needed).of(game, describe)
    numbers = [each.type for each in command.parameters if each.name == "computers"]
    most = GAMES[game].info.seats[-1] - 1
    assert [(each.min_value, each.max_value) for each in numbers] == ([(1, most)] if most > 1 else [])
