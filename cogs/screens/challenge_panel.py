"""The panel behind *Challenge…* in a member's menu and *Other options…* on a result: what to play, then send.

The ids carry everything that was picked: ``<user>.<game>.<time control>.<preset>.<option>…``, the user in hexadecimal,
the rest as indexes in the lists that the panel shows. An option's number is written itself, as in ``v30`` or ``vnone``:
which numbers are listed may be different after the next start. So an installed game is named by its key. One more part
at the end says what becomes of absent seats, and one of how many matches a series is the best, unless that is as usual.
After a match the buttons name the match, which says whom to ask; then the user in the id is 0.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from bot.durations import PRESETS
from bot.games import GAMES, installed
from bot.play.computers.levels import levels_of
from bot.play.computers.stand_ins import offers_stand_in
from bot.play.matchmaking.series import LENGTHS
from bot.play.server_settings import GameDefaults, NamedPreset, presets_of
from bot.store.queries.invitations import StandIn
from bot.time_controls import TIME_CONTROLS, TimeControl, time_control
from bot.ui.catalogue import Translations, UnknownSentence
from bot.ui.screen import Button, Control, Form, Option, Press, Screen, Select, Text, Tone
from cogs.screens.custom_ids import UnknownCustomId
from cogs.screens.limit_text import offered_values
from cogs.screens.safe_names import LONGEST, safe_title, unescaped
from cogs.screens.time_control_text import length_text, time_control_label
from engines.options import NONE, Number, OptionRefused, Takes, settled, takes

_AS_PRESET: Final = "0"
_STAND_INS: Final = {"u": StandIn.UNRATED, "r": StandIn.RATED}
"""How an id writes them."""
_SERIES: Final = {f"b{best_of}": best_of for best_of in LENGTHS}
"""How an id writes of how many matches a series is the best."""
_COLON: Final = re.compile(r"\s*[:\N{FULLWIDTH COLON}]\s*")
"""Between a value and what is said of it: French has a space before it, and Japanese writes a wide one."""


@dataclass(frozen=True, slots=True)
class Company:
    """Who plays: how many sit there, the levels of the computers among them, and the clock of their former match if
    they had one together."""

    seats: int = 2
    levels: tuple[str, ...] = ()
    clock: TimeControl | None = None

    def can_play(self, game: str) -> bool:
        """Whether a game can be played by as many, and by these computers."""
        return self.seats in GAMES[game].info.seats and set(self.levels) <= set(levels_of(game))

    @property
    def clocks(self) -> tuple[TimeControl, ...]:
        """The time controls to choose from: the named ones, that of the former match, and the banks: ids have their
        indexes, and those with banks came later."""
        listed = tuple(TIME_CONTROLS.values())
        former = () if self.clock is None or self.clock in listed else (self.clock,)
        return (*listed[: len(PRESETS)], *former, *listed[len(PRESETS) :])

    def index_of(self, clock: str) -> int:
        """The index of a listed time control in the list, by its key."""
        return [each.key for each in self.clocks].index(clock)

    def nearest(self, usual: TimeControl) -> int:
        """The index of this time control in the list or, if it is not there, of the one with the nearest turn."""
        if usual in self.clocks:
            return self.index_of(usual.key)
        turns = [each for each in TIME_CONTROLS.values() if each.bank is None]
        nearest = min(turns, key=lambda each: max(each.turn, usual.turn) / min(each.turn, usual.turn))
        return self.index_of(nearest.key)

    @property
    def may_play_series(self) -> bool:
        """Whether they can play a series, which is for two people (C-9)."""
        return self.seats == 2 and not self.levels


TWO: Final = Company()
"""Somebody and the member whom they challenge."""

Defaults: TypeAlias = Callable[[str], GameDefaults]
"""The defaults of a server for a game, by its key."""


@dataclass(frozen=True, slots=True)
class Panel:
    """The picks: whom to challenge, indexes in the lists of games, time controls and presets, and the options' values.

    None for an option means "as the preset has it"; no limit is `engines.options.NONE`.
    """

    user_id: int
    game: int
    time_control: int
    preset: int
    options: tuple[Any, ...]
    stand_in: StandIn = StandIn.OFF
    best_of: int = 1
    company: Company = TWO

    @classmethod
    def after(cls, game: str, options: Any, stand_in: StandIn, best_of: int, company: Company) -> Panel:
        """A panel as a former match was played: by this company, on its clock, with these options."""
        clock = company.index_of(company.clock.key) if company.clock else 0
        preset, picked = _picked(game, options)
        return cls(0, [*GAMES].index(game), clock, preset, picked, stand_in, best_of, company).fitted()

    @classmethod
    def first(cls, user_id: int, usual: TimeControl, defaults: Defaults) -> Panel:
        """A new panel, with the defaults of the first game; without a clock among them, with this one."""
        game = [*GAMES].index(_playable(TWO)[0])
        return cls(user_id, game, TWO.nearest(usual), 0, ()).of_game(game, defaults)

    def of_game(self, game: int, defaults: Defaults) -> Panel:
        """The panel with the defaults of the game at this index; without a clock among them, with its own."""
        key = [*GAMES][game]
        own, presets = defaults(key), [*GAMES[key].info.presets]
        clock = self.company.nearest(time_control(own.clock)) if own.clock else self.time_control
        preset = presets.index(own.preset or GAMES[key].info.recommended_for(self.company.seats))
        options = tuple(own.options.get(name) for name in _options(game))
        return replace(
            self, game=game, time_control=clock, preset=preset, options=options, stand_in=own.stand_in
        ).fitted()

    @classmethod
    def read(cls, text: str, company: Company = TWO) -> Panel:
        """The panel of an id's argument, for this company. Raises UnknownCustomId."""
        try:
            user, *indexes = text.split(".")
            game, *more = indexes
            index = [*GAMES].index(game) if installed(game) else int(game)
            time_control, preset, *options = more
            lists = _options(index).values()
            options, more = options[: len(lists)], options[len(lists) :]
            best_of = _SERIES[more.pop()] if more and more[-1] in _SERIES else 1
            stand_in = _STAND_INS[more.pop()] if more else StandIn.OFF
            picked = tuple(_read(taken, text) for taken, text in zip(lists, options, strict=True))
            panel = cls(int(user, 16), index, int(time_control), int(preset), picked, stand_in, best_of, company)
        except (ValueError, LookupError):
            raise UnknownCustomId("not a panel") from None
        if more or panel != panel.fitted() or not 0 <= panel.time_control < len(company.clocks):
            raise UnknownCustomId("not a panel")
        return panel

    def write(self) -> str:
        """The panel as an id's argument."""
        game = self.key if installed(self.key) else str(self.game)
        options = [_write(taken, value) for taken, value in zip(self._takes.values(), self.options, strict=True)]
        stand_in = [letter for letter, word in _STAND_INS.items() if word is self.stand_in]
        series = [text for text, best_of in _SERIES.items() if best_of == self.best_of]
        return ".".join(
            (f"{self.user_id:x}", game, str(self.time_control), str(self.preset), *options, *stand_in, *series)
        )

    def fitted(self) -> Panel:
        """The panel with as many options as its game has; picks that do not fit are reset to the first line."""
        games = [*GAMES]
        fits = 0 <= self.game < len(games) and self.company.can_play(games[self.game])
        game = self.game if fits else games.index(_playable(self.company)[0])
        info = GAMES[games[game]].info
        preset = self.preset if 0 <= self.preset < len(info.presets) else 0
        lists = _options(game).values()
        kept = [*self.options, *([None] * len(lists))]
        options = [value if _accepts(taken, value) else None for taken, value in zip(lists, kept, strict=False)]
        stand_in = self.stand_in if offers_stand_in(games[game]) else StandIn.OFF
        best_of = self.best_of if self.company.may_play_series else 1
        return replace(self, game=game, preset=preset, options=tuple(options), stand_in=stand_in, best_of=best_of)

    def as_named(self, preset: NamedPreset) -> Panel:
        """The panel with what a server has named of its game."""
        info, terms = GAMES[self.key].info, preset.terms
        clock = self.company.index_of(terms.clock) if info.turn_clock else self.time_control
        index = [*info.presets].index(terms.preset) if terms.preset else 0
        options = tuple(terms.options.get(name) for name in self._takes)
        changed = replace(self, time_control=clock, preset=index, options=options, stand_in=terms.stand_in)
        return replace(changed, best_of=preset.best_of).fitted()

    def named(self, name: str) -> NamedPreset:
        """What is picked, under a name."""
        info = GAMES[self.key].info
        preset = [*info.presets][self.preset] if presets_of(self.key) else ""
        options = {name: value for name, value in zip(self._takes, self.options, strict=True) if value is not None}
        terms = GameDefaults(
            self.clock if info.turn_clock else "", preset, MappingProxyType(options), stand_in=self.stand_in
        )
        return NamedPreset(name, self.key, terms, self.best_of)

    @property
    def can_be_named(self) -> bool:
        """Whether every panel can offer what is picked: it is for two people, and its clock is a named one."""
        timed = GAMES[self.key].info.turn_clock
        return self.company.may_play_series and (not timed or self.clock in TIME_CONTROLS)

    @property
    def key(self) -> str:
        """The game's key."""
        return [*GAMES][self.game]

    @property
    def clock(self) -> str:
        """The time control's key."""
        return self.company.clocks[self.time_control].key

    def chosen(self) -> Any:
        """The game's options as they are picked. Raises OptionRefused if they do not fit together."""
        info = GAMES[self.key].info
        base = list(info.presets.values())[self.preset]
        picked = zip(self._takes, self.options, strict=True)
        return replace(base, **{name: value for name, value in picked if value is not None})

    def expected(self) -> Any:
        """The options as a challenge would store them; those of the preset if the picks do not fit together."""
        with suppress(OptionRefused):
            return settled(self.chosen())
        return settled(list(GAMES[self.key].info.presets.values())[self.preset])

    def of(self, option: str) -> Any:
        """The value that an option has with these picks: None where the rules decide by the number of players."""
        return getattr(self.expected(), option)

    @property
    def _takes(self) -> Mapping[str, Takes]:
        return _options(self.game)


def panel_screen(
    panel: Panel,
    name: str,
    words: Translations,
    defaults: Defaults,
    named: Sequence[NamedPreset] = (),
    *,
    may_save: bool = False,
) -> Screen:
    """The panel: a list for each thing to pick, and a button that sends the challenge.

    `name` is the opponent's. If another game is picked, the panel begins with its `defaults`. `named` are the server's
    own presets of the game; who `may_save` can add what is picked to them.
    """
    info, company = GAMES[panel.key].info, panel.company
    changes, sends = ("setup", "send") if company.clock is None else ("again", "sendagain")
    lists: list[Select] = []

    def add(title: str, labels: Sequence[str], picked: int, after: Sequence[Panel], notes: Sequence[str] = ()) -> None:
        lines = zip(labels, after, notes or ("",) * len(labels), strict=True)
        options = tuple(
            Option(label[:100], then.write(), note[:100], chosen=index == picked)
            for index, (label, then, note) in enumerate(lines)
        )
        lists.append(Select(Press(changes, len(lists)), title, options))

    games, keys = _playable(company), [*GAMES]
    titles = [GAMES[key].info.title for key in games]
    add(
        words("panel.game"), titles, games.index(panel.key), [panel.of_game(keys.index(key), defaults) for key in games]
    )
    if info.turn_clock:
        clocks = [time_control_label(each, words) for each in company.clocks]
        timed = [replace(panel, time_control=n) for n in range(len(clocks))]
        add(words("panel.clock"), clocks, panel.time_control, timed)
    if company.may_play_series:
        lengths = (1, *LENGTHS)
        said = [words("panel.value", option=words("series.name"), value=words(f"series.{each}")) for each in lengths]
        add(words("option.series"), said, lengths.index(panel.best_of), [replace(panel, best_of=n) for n in lengths])
    presets = _presets(panel, named, words)
    if presets:
        after = [picked for _, picked, _ in presets]
        add(
            words("panel.preset"),
            [said for said, _, _ in presets],
            next((index for index, picked in enumerate(after) if picked == panel), -1),
            after,
            [note for _, _, note in presets],
        )
    if offers_stand_in(panel.key):
        stand_ins = [replace(panel, stand_in=each) for each in StandIn]
        said = [
            words("panel.value", option=words("stand_in.name"), value=words(f"stand_in.{each}")) for each in StandIn
        ]
        meant = ("", *[words(f"stand_in.{each}_note") for each in [*StandIn][1:]])
        add(words("option.stand_in"), said, [*StandIn].index(panel.stand_in), stand_ins, meant)
    for nth, (option, taken) in enumerate(takes(info.options).items()):
        values = (None, *offered_values(taken))
        after = [replace(panel, options=(*panel.options[:nth], each, *panel.options[nth + 1 :])) for each in values]
        short = _name(panel.key, option, words)
        usual, *others = [_value(panel.key, option, each, words) for each in (after[0].of(option), *values[1:])]
        labels = [words("panel.as_preset", option=short, value=usual[0])]
        labels += [words("panel.value", option=short, value=value) for value, _ in others]
        notes = [words(f"{panel.key}.option.{option}"), *[note for _, note in others]]
        picked = panel.options[nth]
        shown = words("panel.value", option=short, value=_value(panel.key, option, panel.of(option), words)[0])
        add(shown[:150], labels, values.index(picked) if picked in values else -1, after, notes)
    rows: list[tuple[Control, ...]] = [(each,) for each in lists]
    buttons = [Button(words("panel.send"), Press(sends, 0, panel.write()), Tone.GOOD)]
    if company.clock is None:
        buttons.append(Button(words("panel.table"), Press("opentable", 0, panel.write())))
    if may_save and panel.can_be_named:
        buttons.append(Button(words("preset.save"), Press("saveas", 0, panel.write())))
    rows.append(tuple(buttons))
    clock = company.clocks[panel.time_control]
    about = words("panel.about" if company.may_play_series else "panel.about_all")
    told = (about, length_text(panel.key, panel.expected(), company.seats, clock, words))
    sections = tuple(Text(line) for line in told if line)
    return Screen(words("panel.title", name=name), sections, tuple(rows), tone=Tone.MAIN)


def _presets(panel: Panel, named: Sequence[NamedPreset], words: Translations) -> list[tuple[str, Panel, str]]:
    """The presets to choose from, each with what is picked then and a note: the server's own, then the game's, first
    the recommended one. What two would pick alike is listed once, since Discord takes no line twice."""
    info = GAMES[panel.key].info
    recommended = info.recommended_for(panel.company.seats)
    lines = [(unescaped(safe_title(each.name)), panel.as_named(each), words("preset.own")) for each in named]
    for key in sorted(presets_of(panel.key), key=lambda key: key != recommended):
        note = words("panel.recommended") if key == recommended else ""
        picked = replace(panel, preset=[*info.presets].index(key))
        lines.append((words(f"{panel.key}.preset.{key}"), picked, note))
    found: dict[Panel, tuple[str, Panel, str]] = {}
    for line in lines:
        found.setdefault(line[1], line)
    return [*found.values()]


def preset_form(panel: Panel, words: Translations) -> Form:
    """The form that asks for a name of what is picked."""
    return Form(
        Press("savedas", 0, panel.write()), words("preset.form"), words("preset.name"), words("preset.hint"), LONGEST
    )


def _playable(company: Company) -> tuple[str, ...]:
    """The games that they can play."""
    return tuple(filter(company.can_play, GAMES))


def _picked(game: str, options: Any) -> tuple[int, tuple[Any, ...]]:
    """The preset that is nearest to a match's options, and the values that differ from it; None for the others."""
    names = [*takes(GAMES[game].info.options)]
    found = []
    for index, base in enumerate(map(settled, GAMES[game].info.presets.values())):
        values = [(getattr(options, name), getattr(base, name)) for name in names]
        picked = tuple(mine if mine != usual else None for mine, usual in values)
        found.append((sum(mine != usual for mine, usual in values), index, picked))
    _, index, picked = min(found, key=lambda each: each[:2])
    return index, picked


def _options(game: int) -> Mapping[str, Takes]:
    """The options of the game at this index. Raises IndexError."""
    return takes(GAMES[[*GAMES][game]].info.options)


def _accepts(taken: Takes, value: object) -> bool:
    """Whether an option accepts a value; None is always accepted."""
    with suppress(OptionRefused):
        if value is not None:
            taken.check("", value)
        return True
    return False


def _write(taken: Takes, value: Any) -> str:
    """An option's value in an id."""
    if value is None:
        return _AS_PRESET
    return f"v{value}" if isinstance(taken, Number) else str(1 + offered_values(taken).index(value))


def _read(taken: Takes, text: str) -> Any:
    """The value that `_write` wrote. Raises ValueError, or IndexError for an index that the option does not have."""
    if text == _AS_PRESET:
        return None
    if isinstance(taken, Number):
        if text[:1] != "v":
            raise ValueError("a number is written with a v")
        return NONE if text[1:] == NONE else int(text[1:])
    index = int(text)
    if index < 1:
        raise ValueError("indexes are counted from 1")
    return offered_values(taken)[index - 1]


def _name(game: str, option: str, words: Translations) -> str:
    """An option's short name, so that Discord's one line of a list shows the value beside it."""
    with suppress(UnknownSentence):
        return words(f"{game}.name.{option}")
    return option.replace("_", " ").capitalize()


def _value(game: str, option: str, value: Any, words: Translations) -> tuple[str, str]:
    """An option's value in words, and what the catalogue says of it after a colon."""
    if isinstance(value, bool):
        return words("panel.on" if value else "panel.off"), ""
    key = "default" if value is None else str(value)
    try:
        said, *note = _COLON.split(words(f"{game}.{option}.{key}"), maxsplit=1)
    except UnknownSentence:
        return str(value), ""
    return said, "".join(note)
