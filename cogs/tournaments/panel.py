"""The panel in which a host chooses a tournament, and what everybody reads of that choice afterwards too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.games import GAMES, game_title
from bot.pairing.model import Format
from bot.ui.catalogue import Translations
from bot.ui.screen import Button, Option, Press, Screen, Select, Text, Tone, noted
from cogs.screens.renderer import LONGEST_OPTION, MOST_OPTIONS
from cogs.screens.time_control_text import time_control_label, time_label
from cogs.tournaments.setup import LASTS, OFFERED, PLAYERS, Dealt, Pace, Setup, table_sizes


def panel_screen(setup: Setup, words: Translations, note: str = "") -> Screen:
    """What a host chooses, and a button that opens it."""
    info = GAMES[setup.game].info
    rows: list[tuple[Select | Button, ...]] = []

    def add(title: str, changed: Sequence[tuple[str, Setup]]) -> None:
        options = [
            Option(label[:LONGEST_OPTION], each.write(), chosen=each == setup) for label, each in changed[:MOST_OPTIONS]
        ]
        rows.append((Select(Press("tourset", len(rows)), title, tuple(options)),))

    add(
        words("tournament.format"),
        [
            *[(format_name(each, PLAYERS, words), setup.at(each)) for each in OFFERED],
            *[
                (format_name(Format.SWISS, seats, words), setup.at(Format.SWISS, seats))
                for seats in table_sizes(setup.game)
            ],
        ],
    )
    if len(info.presets) > 1:
        presets = [(words(f"{setup.game}.preset.{each}"), replace(setup, preset=each)) for each in info.presets]
        add(words("panel.preset"), presets)
    if info.turn_clock:
        clocks = [(time_control_label(each, words), replace(setup, clock=each.key)) for each in setup.clocks]
        add(words("panel.clock"), clocks)
    if setup.form is Format.ARENA:
        lasts = [(time_label(60 * each, words), replace(setup, lasts=each)) for each in LASTS]
        add(words("tournament.lasts"), lasts)
    elif setup.pace is Pace.EVENING:
        dealt = [(words(f"tournament.dealt.{each}"), replace(setup, dealt=each)) for each in setup.offered]
        add(words("tournament.dealt"), dealt)
    other = replace(setup, event=not setup.event)
    rows.append(
        (
            Button(words("tournament.open"), Press("touropen", 0, setup.write()), Tone.GOOD),
            Button(words(f"tournament.event_{'leave' if setup.event else 'add'}"), Press("tourset", 9, other.write())),
        )
    )
    lines = [
        words.count("tournament.panel_players", setup.most),
        *([words("tournament.for_two")] if table_sizes(setup.game) else []),
        *([words("tournament.dealt_about.own")] if setup.form is Format.ARENA else []),
        pace_line(setup.pace, setup.lasts if setup.form is Format.ARENA else 0, words),
        counts_line(setup.rated, words, shared=setup.dealt is not Dealt.OWN),
        words("tournament.panel_begins", time=time_label(60 * setup.minutes, words)),
        *([words("tournament.panel_check_in")] if setup.check_in else []),
        *([words("tournament.panel_event")] if setup.event else []),
        words("tournament.panel_again"),
    ]
    title = words("tournament.panel_title", game=game_title(setup.game))
    about = "\n".join(about_lines(setup.form, setup.seats, words))
    return Screen(title, (*noted(note), Text(about), Text("\n".join(lines))), tuple(rows), tone=Tone.MAIN)


def format_name(form: Format, seats: int, words: Translations) -> str:
    """Who meets whom, as hosts choose it."""
    if seats > PLAYERS:
        return words("tournament.format.tables", seats=seats)
    return words(f"tournament.format.{form}")


def about_lines(form: Format, seats: int, words: Translations) -> list[str]:
    """Who meets whom, as people read it before they join."""
    if seats > PLAYERS:
        return [words("tournament.about.tables", seats=seats)]
    again = [words("tournament.tie_again")] if form in {Format.SINGLE, Format.DOUBLE} else []
    return [words(f"tournament.about.{form}"), *again]


def pace_line(pace: Pace, lasts: int, words: Translations) -> str:
    """When rounds begin, or for how long an arena lasts."""
    if lasts:
        return words("tournament.arena_lasts", time=time_label(60 * lasts, words))
    return words(f"tournament.pace.{pace}")


def counts_line(rated: bool, words: Translations, *, shared: bool) -> str:
    """What its matches count for."""
    if not rated:
        return words("tournament.unrated")
    return words("tournament.reliable" if shared else "hosted.rated")
