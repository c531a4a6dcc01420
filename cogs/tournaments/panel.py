"""The panel in which a host chooses a tournament: the choice, while it travels in the ids of its controls, and the
lines that several screens have, of that choice and of a tournament on hold or over."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from bot.games import GAMES, game_title
from bot.pairing.model import Format, Scoring
from bot.time_controls import TIME_CONTROLS, TimeControl, time_control
from bot.ui.catalogue import Translations
from bot.ui.screen import Button, Option, Press, Screen, Select, Text, Tone, noted
from cogs.screens.custom_ids import UnknownCustomId
from cogs.screens.renderer import LONGEST_OPTION, MOST_OPTIONS
from cogs.screens.time_control_text import time_control_label, time_label
from cogs.tournaments.rows import ELIMINATIONS, HELD, State, Tournament

LEAST_PLAYERS, MOST_PLAYERS, USUAL_PLAYERS = 4, 64, 16
LEAST_MINUTES, MOST_MINUTES, USUAL_MINUTES = 1, 7 * 24 * 60, 15
PLAYERS: Final = 2
"""How many people sit at a table, unless the host wants more."""
LASTS: Final = (30, 60, 90, 120, 180)
"""For how many minutes an arena may begin matches."""
USUAL_LASTS: Final = 60
LEAST_IN_TEAMS: Final = 6
"""Of three teams."""
CHECKED_FROM: Final = 60
"""From this many minutes until the start, people say again that they are here before the first round."""


class Dealt(StrEnum):
    """Which matches of a round have the same deal."""

    SAME = "same"
    """All."""
    FIELD = "field"
    """All, and who does better with the same cards gets more points."""
    TWICE = "twice"
    """All, of two deals: each pair plays both, the second with seats exchanged. But for an elimination, who does better
    with the same cards gets more points."""
    OWN = "own"
    """None."""
    TEAMS = "teams"
    """All, and partners have the two sides of it at two tables."""


class Pace(StrEnum):
    """When a round begins after the one before it."""

    EVENING = "evening"
    """At once."""
    DAY = "day"
    WEEK = "week"


SECONDS: Final = {Pace.EVENING: 0, Pace.DAY: 24 * 3600, Pace.WEEK: 7 * 24 * 3600}
OFFERED: Final = (Format.SWISS, Format.ROUND_ROBIN, Format.SINGLE, Format.DOUBLE, Format.ARENA)
FAST: Final = "normal"
"""The clock of an arena in place of a slow one."""
_ID: Final = re.compile(
    r"([a-z0-9_]{1,24})\.(\d)\.(\d)\.(\d)\.(\d)\.(\d{1,2})\.(\d{1,5})\.([01])\.([01])\.(\d{2,3})\.(\d)\.([a-z0-9_]{1,16})"
)


def table_sizes(game: str) -> tuple[int, ...]:
    """With how many at a table, more than two, a game can be played."""
    return tuple(seats for seats in GAMES[game].info.seats if seats > PLAYERS)


@dataclass(frozen=True, slots=True)
class Setup:
    """The terms of a tournament that isn't open yet."""

    game: str
    clock: str
    preset: str
    form: Format = Format.SWISS
    dealt: Dealt = Dealt.SAME
    pace: Pace = Pace.EVENING
    most: int = USUAL_PLAYERS
    minutes: int = USUAL_MINUTES
    """Until nobody can join any more."""
    rated: bool = True
    event: bool = False
    """Whether it gets an event in the server's calendar."""
    lasts: int = USUAL_LASTS
    """Of an arena."""
    seats: int = PLAYERS
    """At a table; more than two in Swiss only."""

    def at(self, form: Format, seats: int = PLAYERS) -> Setup:
        """The same in another format and at tables of another size, for which the game may recommend another preset."""
        preset = self.preset if seats == self.seats else GAMES[self.game].info.recommended_for(seats)
        return replace(self, form=form, seats=seats, preset=preset).fitted()

    def fitted(self) -> Setup:
        """The same, without what doesn't go together: rounds of days don't share deals, because people could talk, an
        elimination asks who wins, an arena is an evening without rounds and slow matches, teams are of two, and larger
        tables play one match a round."""
        if self.form is Format.ARENA:
            clock = FAST if self.time_control.slow else self.clock
            return replace(self, pace=Pace.EVENING, dealt=Dealt.OWN, clock=clock)
        fitted = replace(self, lasts=USUAL_LASTS)
        if self.dealt not in self.offered:
            fitted = replace(fitted, dealt=self.offered[0])
        if fitted.dealt is Dealt.TEAMS:
            fitted = replace(fitted, most=max(LEAST_IN_TEAMS, self.most + self.most % 2))
        return fitted

    @property
    def offered(self) -> tuple[Dealt, ...]:
        """How it can be dealt."""
        if self.pace is not Pace.EVENING or self.form is Format.ARENA:
            return (Dealt.OWN,)
        if self.seats > PLAYERS:
            return (Dealt.SAME, Dealt.FIELD, Dealt.OWN)
        return tuple(each for each in Dealt if each is not Dealt.FIELD or self.form not in ELIMINATIONS)

    @property
    def scoring(self) -> Scoring:
        """How a round gives points. An elimination asks who wins."""
        by_field = self.dealt in {Dealt.FIELD, Dealt.TWICE} and self.form not in ELIMINATIONS
        return Scoring.DIFFERENCE if by_field else Scoring.WINS

    @property
    def check_in(self) -> bool:
        """Whether people say again that they are here before the first round."""
        return self.pace is Pace.EVENING and self.minutes >= CHECKED_FROM

    @property
    def time_control(self) -> TimeControl:
        """Its clock."""
        return time_control(self.clock)

    @property
    def clocks(self) -> tuple[TimeControl, ...]:
        """The clocks to choose from; what a host has typed is one of them."""
        all_clocks = dict.fromkeys((*TIME_CONTROLS.values(), self.time_control))
        return tuple(each for each in all_clocks if self.form is not Format.ARENA or not each.slow)

    def write(self) -> str:
        """The terms as an id's argument."""
        picks = (
            OFFERED.index(self.form),
            [*Dealt].index(self.dealt),
            [*Pace].index(self.pace),
            [*GAMES[self.game].info.presets].index(self.preset),
        )
        fields = (self.game, *picks, self.most, self.minutes, int(self.rated), int(self.event), self.lasts)
        return ".".join(map(str, (*fields, self.seats, self.clock)))

    @classmethod
    def read(cls, text: str) -> Setup:
        """The terms that `write` wrote. Raises UnknownCustomId."""
        found = _ID.fullmatch(text)
        if found is None or found[1] not in GAMES:
            raise UnknownCustomId("not the terms of a tournament")
        game, form, dealt, pace, preset, most, minutes, rated, event, lasts, seats, clock = found.groups()
        try:
            setup = cls(
                game,
                time_control(clock).key,
                [*GAMES[game].info.presets][int(preset)],
                OFFERED[int(form)],
                [*Dealt][int(dealt)],
                [*Pace][int(pace)],
                int(most),
                int(minutes),
                rated == "1",
                event == "1",
                int(lasts),
                int(seats),
            )
        except (ValueError, LookupError):
            raise UnknownCustomId("not the terms of a tournament") from None
        players, time = LEAST_PLAYERS <= setup.most <= MOST_PLAYERS, LEAST_MINUTES <= setup.minutes <= MOST_MINUTES
        swiss_only = setup.seats == PLAYERS or (setup.form is Format.SWISS and setup.seats in table_sizes(game))
        if not players or not time or not swiss_only or setup.lasts not in LASTS or setup != setup.fitted():
            raise UnknownCustomId("not the terms of a tournament")
        return setup


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


def hold_line(tournament: Tournament, words: Translations) -> str:
    """Two lines: why no match begins, and until when it may be resumed."""
    until = words("tournament.held_until", when=f"<t:{(tournament.held_until or 0) // 1000}:R>")
    return f"{words(f'tournament.hold.{tournament.hold}')}\n{until}"


def ended_line(tournament: Tournament, words: Translations) -> str:
    """That it is over, and why if it was called off."""
    if tournament.state is State.OVER:
        return words("tournament.ended")
    if tournament.hold is not None:
        return words("tournament.given_up", time=held_label(words))
    return words("tournament.called_off")


def held_label(words: Translations) -> str:
    """How long a tournament may be on hold."""
    return time_label(HELD // 1000, words)
