"""What the buttons show that look at a match, whatever happens while they are answered."""

from __future__ import annotations

import pytest

from bot.play.live_match import LiveMatch
from cogs.interactions.responses import Interaction
from cogs.screens.presenter import Reader
from cogs.wording import Readers
from engines.game import Resign, Seat
from tests.bot.play.parts import ANN, BOB, CAT, CHANNEL, GUILD
from tests.cogs.actions.offline_bot import OfflineBot, say
from tests.shared_deals import begin


@pytest.mark.parametrize("verb", ["table", "piles"])
async def test_a_match_that_ends_while_it_is_looked_at_shows_nothing_of_a_closed_deal(
    bot: OfflineBot, monkeypatch: pytest.MonkeyPatch, verb: str
) -> None:
    read = Readers.pressing
    match, _ = await begin(bot.store, bot.lifecycle, [(ANN, BOB), (BOB, CAT)], (GUILD, CHANNEL))

    async def slowly(readers: Readers, interaction: Interaction, match: LiveMatch, seat: Seat | None) -> Reader:
        await match.act(0, Resign())
        return await read(readers, interaction, match, seat)

    monkeypatch.setattr(Readers, "pressing", slowly)
    pressed = await bot.press_on(match, verb, ANN)
    assert match.over
    assert pressed.texts == [say("shared.closed")]
