"""*Challenge…* in a member's menu: pick what to play, send, and play."""

from __future__ import annotations

import pytest

from bot.play.servers.settings import GameDefaults
from bot.time_controls import time_control
from bot.ui.catalogue import translations
from cogs.screens.challenge_panel import Panel
from cogs.screens.custom_ids import UnknownCustomId
from engines import GAMES
from sandbox import Sandbox
from tests.end_to_end.cardroom import Cardroom

say = translations("en")


async def test_the_menu_sends_a_challenge_on_the_clock_that_was_picked(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    panel = await alice.context_menu(lobby, "Challenge…", bob)
    assert panel.visibility == "ephemeral"
    assert say("panel.title", name="Bob") in panel.text
    game, clock = panel.message.selects[:2]
    assert [option.label for option in game.options] == [
        each.info.title for each in GAMES.values() if 2 in each.info.seats
    ]
    daily = next(option for option in clock.options if option.label == say("clock.daily"))
    changed = await alice.select(panel.message, custom_id=clock.custom_id, values=[daily.value])
    assert changed.kind == "update"
    assert [option.label for option in changed.message.selects[1].options if option.default] == [say("clock.daily")]
    sent = await alice.press(panel.message, label=say("panel.send"))
    assert sent.visibility == "public"
    assert sent.message.mentions == [bob.id]
    (invitation,) = room.app.invitations.open()
    assert invitation.clock == "daily"
    assert (await bob.press(sent.message, label="Accept")).message.labels[0] == "My cards"


async def test_the_menu_refuses_who_cannot_be_challenged(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    themselves = await alice.context_menu(lobby, "Challenge…", alice)
    assert (themselves.visibility, themselves.text) == ("ephemeral", say("challenge.yourself"))
    panel = await alice.context_menu(lobby, "Challenge…", bob)
    sandbox.remove_member(bob)
    gone = await alice.press(panel.message, label=say("panel.send"))
    assert (gone.visibility, gone.text) == ("ephemeral", say("challenge.absent"))


@pytest.mark.parametrize("text", ["", "x", "1.0.0", "1.0.0.0.9.9", "1.99.0.0", "1.0.77.0", "zz.0.0.0", "1.0.-1.0"])
def test_a_panel_that_is_none_is_foreign(text: str) -> None:
    with pytest.raises(UnknownCustomId):
        Panel.read(text)


@pytest.mark.parametrize(
    ("typed", "nearest"), [("15s", "blitz"), ("300s", "normal"), ("600s", "relaxed"), ("604800s", "daily")]
)
def test_a_panel_opens_on_the_clock_nearest_to_a_default_that_it_does_not_list(typed: str, nearest: str) -> None:
    assert Panel.first(1, time_control(typed), lambda _: GameDefaults()).clock == nearest


@pytest.mark.parametrize("game", range(sum(2 in each.info.seats for each in GAMES.values())))
@pytest.mark.parametrize("clock", ["blitz", "daily"])
def test_a_panel_travels_in_an_id(game: int, clock: str) -> None:
    panel = Panel.first(2**63 - 1, time_control(clock), lambda _: GameDefaults()).of_game(
        game, lambda _: GameDefaults()
    )
    assert Panel.read(panel.write()) == panel
    assert len(panel.write()) <= 70
    assert panel.clock == clock
    assert type(panel.chosen()) is GAMES[panel.key].info.options
