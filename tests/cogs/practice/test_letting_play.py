"""The button that lets a computer play on: who has it."""

from __future__ import annotations

import pytest

from bot.store.queries.invitations import StandIn
from bot.ui.catalogue import translations
from cogs.practice.commands import let_play_row
from cogs.screens.presenter import Reader
from engines.game import Resign
from tests.bot.play.parts import ANN, BOB, CAT, Parts

say = translations("en")


@pytest.mark.parametrize("stand_in", StandIn)
async def test_who_plays_a_match_with_a_stand_in_has_the_button_and_nobody_else(
    parts: Parts, stand_in: StandIn
) -> None:
    match = await parts.opened(ANN, BOB, game="ciq", stand_in=stand_in, more=(CAT,))
    await match.act(2, Resign())

    def has_it(seat: int | None) -> bool:
        return let_play_row(match, Reader(say, ("Ann", "Bob", "Cat"), seat)) != ()

    assert [has_it(seat) for seat in (0, 1, 2, None)] == [stand_in is not StandIn.OFF] * 2 + [False] * 2
