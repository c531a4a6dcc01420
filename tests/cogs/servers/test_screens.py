"""The screens for moderators fit into a message, whatever is set and however long names are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from bot.games import GAMES
from bot.play.server_settings import (
    CHANNELS,
    DEFAULTS,
    EXCLUDED_ROLES,
    MOST_LISTED,
    PLACE,
    ROLES,
    Act,
    Enders,
    GameDefaults,
    ServerSettings,
    write_ids,
)
from bot.store.queries.server_settings import SettingChange
from bot.time_controls import time_control
from bot.ui.catalogue import translations
from bot.ui.screen import Screen, Select
from cogs.screens.renderer import LONGEST_LABEL, LONGEST_TEXT, MOST_COMPONENTS, render, utf16_units
from cogs.screens.safe_names import LONGEST_WORDS
from cogs.servers.queries import Bar
from cogs.servers.screens import (
    NEEDED,
    SUBJECT,
    StuckMatch,
    ask_screen,
    changes_screen,
    defaults_screen,
    greeting_page,
    greeting_screen,
    members_screen,
    player_screen,
    refused_lines,
    settings_screen,
    stuck_screen,
)
from cogs.updates.server_week import ServerWeek
from engines.options import Number, takes

say = translations("en")
LONG_IDS = tuple(range(2**63 - MOST_LISTED, 2**63))
NAME = "W" * 32
NAMES = {2: NAME, 3: NAME}


def components(made: Any) -> Iterator[dict[str, Any]]:
    for each in made:
        yield each
        yield from components(each.get("components", ()))


def fits(screen: Screen) -> None:
    made = list(components(render(screen, SUBJECT)))
    assert len(made) <= MOST_COMPONENTS
    text = "".join(each.get("content", "") for each in made)
    assert utf16_units(text) < LONGEST_TEXT, "a text was cut"
    for row in screen.rows:
        for control in row:
            if isinstance(control, Select):
                assert 1 <= len(control.options) <= 25
                assert all(0 < len(each.label) <= 100 and len(each.value) <= 70 for each in control.options)
                assert len({each.value for each in control.options}) == len(control.options)
                assert len(control.placeholder) <= 150
            elif hasattr(control, "label"):
                assert len(control.label) <= LONGEST_LABEL
    ids = [each["custom_id"] for each in made if "custom_id" in each]
    assert len(ids) == len(set(ids))
    assert all(len(each) <= 100 for each in ids)


def whole(game: str) -> GameDefaults:
    """Defaults of a game with something for each of its options."""
    info = GAMES[game].info
    options = {
        name: taken.least if isinstance(taken, Number) else getattr(info.options(), name)
        for name, taken in takes(info.options).items()
    }
    preset = [*info.presets][-1] if len(info.presets) > 1 else ""
    return GameDefaults("daily", preset, {name: value for name, value in options.items() if value is not None})


@pytest.mark.parametrize("game", GAMES)
def test_the_defaults_of_a_game_fit_and_are_read_as_they_were_written(game: str) -> None:
    defaults = whole(game)
    fits(defaults_screen(game, defaults, time_control("604800s"), say, say("settings.saved")))
    fits(defaults_screen(game, GameDefaults(), time_control("normal"), say))
    assert GameDefaults.read(game, defaults.write()) == defaults
    assert GameDefaults().write() == ""


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "[]",
        '{"clock":"soon","preset":"none","options":{"nothing":1}}',
        '{"options":7}',
        '{"preset":"default"}',
    ],
)
def test_defaults_that_a_game_does_not_take_are_left_out(text: str) -> None:
    assert GameDefaults.read("haymaker", text) == GameDefaults()
    assert GameDefaults.read("nothing", '{"clock":"daily"}') == GameDefaults()


def test_settings_that_nobody_knows_count_as_the_default() -> None:
    read = ServerSettings.read({PLACE: "moon", CHANNELS: "here", "later": "x", "enders": "", "defaults.gone": "{}"})
    assert read == ServerSettings(defaults={"gone": GameDefaults()})


def test_the_settings_fit_with_everything_set_and_missing() -> None:
    settings = ServerSettings(
        channels=LONG_IDS,
        enders=Enders.MODERATORS,
        roles=LONG_IDS,
        excluded_roles=LONG_IDS,
        hosts=LONG_IDS,
        week=LONG_IDS[:1],
        first_role=LONG_IDS[:1],
    )
    week = ServerWeek()
    assert refused_lines(settings, week, say) == []
    week.channels[LONG_IDS[0]] = week.roles[LONG_IDS[0]] = 20_000
    refused = refused_lines(settings, week, say)
    assert refused == [
        say("week.refused", channel=f"<#{LONG_IDS[0]}>"),
        say("week.role_refused", role=f"<@&{LONG_IDS[0]}>"),
    ]
    fits(settings_screen(settings, NEEDED, say, say("settings.saved"), refused))
    fits(greeting_screen(NEEDED, say))
    longest = "W" * LONGEST_WORDS
    fits(members_screen(longest, say))
    fits(greeting_page(replace(settings, greeting=LONG_IDS[:1], greeting_words=longest), say, say("settings.saved")))


def test_a_page_of_changes_fits() -> None:
    channels = write_ids(LONG_IDS)
    texts = [
        (CHANNELS, channels, channels),
        *((act, "m1", "1900000000000") for act in Act),
        ("later", "x" * 3000, "y" * 3000),
    ]
    texts += [(f"{DEFAULTS}{game}", whole(game).write(), whole(game).write()) for game in GAMES]
    texts += [(name, channels, channels) for name in (ROLES, EXCLUDED_ROLES)]
    changes = [SettingChange(1, 2, 1_900_000_000_000, *each, about_id=3) for each in (*texts, *texts)]
    for page in range(4):
        fits(changes_screen(changes, NAMES, page, say))
    longest = max(changes, key=lambda each: len(each.value))
    fits(changes_screen([longest] * 8, NAMES, 0, say))
    fits(changes_screen([], NAMES, 7, say))


def test_lists_of_stuck_matches_and_the_questions_before_one_ends_fit() -> None:
    matches = [StuckMatch(f"match{nth}", "Champions of Chance", (NAME,) * 6, NAME * 6) for nth in range(60)]
    for page in range(4):
        fits(stuck_screen(matches, page, say, here=page % 2 == 0, note=say("stuck.done")))
    fits(stuck_screen([], 0, say, here=True))
    held = [replace(match, ends_at=1_900_000_000_000) for match in matches]
    fits(stuck_screen(held, 0, say, here=False))
    for bar in (None, Bar(None), Bar(1_900_000_000_000)):
        fits(
            player_screen(
                2**63, held[:13] + matches[13:26], 5, bar, say, aside=True, may_bar=True, note=say("stuck.held")
            )
        )
        fits(player_screen(2**63, [], 0, bar, say, aside=False, may_bar=False))
    matches = [StuckMatch("match", "Champions of Chance", (NAME,) * 6, NAME * 6)]
    fits(ask_screen(matches[0], say))


@pytest.mark.parametrize(
    ("settings", "roles", "may"),
    [
        (ServerSettings(), [], True),
        (ServerSettings(roles=(1, 2)), [2, 5], True),
        (ServerSettings(roles=(1, 2)), [5], False),
        (ServerSettings(excluded_roles=(3,)), [5], True),
        (ServerSettings(roles=(1, 2), excluded_roles=(3,)), [1, 3], False),
    ],
)
def test_who_may_play_follows_from_their_roles(settings: ServerSettings, roles: list[int], *, may: bool) -> None:
    assert settings.admits(roles) is may
