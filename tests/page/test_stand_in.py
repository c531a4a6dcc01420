"""An absent seat in a browser: its player lets the computer play on, and takes the seat back (C-8)."""

from __future__ import annotations

import pytest
from playwright.async_api import expect

from bot.play.computers import seats
from bot.ui.catalogue import translations
from discord_sandbox.browser import DESKTOP, PHONE, Tabs
from tests.end_to_end.cardroom import Cardroom

say = translations("en")


@pytest.mark.nightly  # one of two sizes
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
async def test_c_8_a_player_leaves_the_seat_to_the_computer_and_takes_it_back(
    room: Cardroom, tabs: Tabs, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seats, "thinking_seconds", lambda _size, _luck: 3600.0)
    alice, bob = await tabs.open("Alice", size=size), await tabs.open("Bob", size=size)
    await alice.enter("/haymaker challenge opponent:@Bob stand_in:rated")
    await expect(bob.last).to_contain_text(say("stand_in.terms.rated"))
    await bob.button("Accept").click()
    await bob.button("My cards").click()
    await bob.button(say("button.let_play")).click()
    await expect(bob.last).to_contain_text(say("stand_in.title"))
    await bob.last.get_by_role("button", name=say("button.let_play"), exact=True).click()
    await expect(bob.last).to_contain_text(say("stand_in.held"))
    await expect(alice.last).to_contain_text(say("stand_in.plays_on"))
    await bob.button(say("button.take_back")).click()
    await expect(bob.last).to_contain_text(say("stand_in.back"))
    await expect(alice.last).not_to_contain_text(say("stand_in.plays_on"))
    (match,) = room.app.matches.live()
    assert not match.has_stand_in(1)
    assert [*alice.troubles, *bob.troubles] == []
