"""What a server has named: what is stored of it, and how the panel offers it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import pytest

from bot.games import GAMES
from bot.play.server_settings import MOST_PRESETS, PRESETS, GameDefaults, NamedPreset, ServerSettings
from bot.store.queries.invitations import StandIn
from bot.time_controls import time_control
from bot.ui.catalogue import translations
from bot.ui.screen import Button, Select
from cogs.screens.challenge_panel import Company, Panel, panel_screen
from cogs.screens.renderer import MOST_COMPONENTS, render

say = translations("en")
FRIDAY = NamedPreset(
    "Friday", "ciq", GameDefaults("daily", "default", MappingProxyType({"round_limit": 50}), StandIn.OFF), 3
)
FOR_TWO = [key for key, game in GAMES.items() if 2 in game.info.seats]


def no_defaults(game: str) -> GameDefaults:
    """The defaults of a server that has none of its own."""
    return GameDefaults()


def components(made: Any) -> Iterator[dict[str, Any]]:
    """All components, also those inside others."""
    for each in made:
        yield each
        yield from components(each.get("components", ()))


def panel_of(game: str) -> Panel:
    """A new panel of a game."""
    return Panel.first(1, time_control("normal"), no_defaults).of_game([*GAMES].index(game), no_defaults)


@pytest.mark.parametrize("game", FOR_TWO)
def test_what_a_panel_shows_is_stored_and_picked_again_whole(game: str) -> None:
    panel = replace(panel_of(game), best_of=5)
    named = panel.named("Friday")
    read = NamedPreset.read("Friday", named.write())
    assert read == named
    assert panel_of(game).as_named(named) == panel


@pytest.mark.parametrize(
    "changed",
    [
        {"game": "chess"},
        {"best_of": 4},
        {"terms": '{"clock":"hourly","preset":"default"}'},
        {"terms": '{"clock":"77s","preset":"default"}'},
        {"terms": '{"clock":"daily","preset":"gone"}'},
        {"terms": '{"clock":"daily","options":{"gone":1},"preset":"default"}'},
        {"terms": '{"clock":"daily","options":{"round_limit":-1},"preset":"default"}'},
        {"terms": 7},
        {"more": 1},
    ],
)
def test_what_is_no_longer_valid_is_left_out_whole(changed: dict[str, object]) -> None:
    assert NamedPreset.read("Friday", FRIDAY.write()) == FRIDAY
    text = json.dumps({**json.loads(FRIDAY.write()), **changed}, sort_keys=True, separators=(",", ":"))
    settings = ServerSettings.read({f"{PRESETS}Friday": text})
    assert dict(settings.presets) == {"Friday": None}
    assert settings.named("ciq") == ()


@pytest.mark.parametrize("text", ["", "[]", "{}", "no JSON", '"Friday"'])
def test_any_other_text_is_no_preset(text: str) -> None:
    assert NamedPreset.read("Friday", text) is None


@pytest.mark.parametrize("game", FOR_TWO)
def test_the_panel_has_room_for_all_of_a_servers_own_and_lists_no_line_twice(game: str) -> None:
    panel = panel_of(game)
    many = [replace(panel, best_of=1 + 2 * (nth % 2)).named("W" * 31 + str(nth)) for nth in range(MOST_PRESETS)]
    screen = panel_screen(panel, "W" * 32, say, no_defaults, many, may_save=True)
    assert len([*components(render(screen, "panel"))]) <= MOST_COMPONENTS
    controls = [control for row in screen.rows for control in row]
    (presets,) = [each for each in controls if isinstance(each, Select) and each.placeholder == say("panel.preset")]
    values = [option.value for option in presets.options]
    assert len(values) == len(set(values))
    assert [option.label for option in presets.options][:2] == ["W" * 31 + "0", "W" * 31 + "1"]
    assert [option.label for option in presets.options if option.chosen] == ["W" * 31 + "0"]


def test_a_former_match_is_saved_if_every_panel_can_offer_it() -> None:
    panel = panel_of("ciq")
    odd = Company(clock=time_control("77s"))
    assert panel.can_be_named
    assert replace(panel, company=Company(clock=time_control("daily"))).can_be_named
    assert not replace(panel, company=odd, time_control=odd.index_of("77s")).can_be_named
    assert not replace(panel, company=Company(seats=3)).can_be_named


def test_only_who_may_save_is_asked_for_a_name() -> None:
    panel = panel_of("ciq")
    for may_save in (False, True):
        screen = panel_screen(panel, "Bob", say, no_defaults, may_save=may_save)
        labels = [each.label for row in screen.rows for each in row if isinstance(each, Button)]
        assert (say("preset.save") in labels) is may_save
