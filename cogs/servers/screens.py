"""Screens for the moderators of a server: the greeting, the settings, the list of changes, missing permissions,
and the matches that they can call off."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from bot.games import GAMES, game_title
from bot.languages import WHOLE, languages, name_of
from bot.play import server_settings
from bot.play.computers.stand_ins import offers_stand_in
from bot.store.queries.invitations import StandIn
from bot.store.queries.server_settings import SettingChange
from bot.time_controls import TIME_CONTROLS, TimeControl
from bot.ui.catalogue import Translations
from bot.ui.isolation import cut_whole, mention
from bot.ui.screen import (
    Button,
    ChannelSelect,
    Form,
    Option,
    Press,
    RoleSelect,
    Rows,
    Screen,
    Select,
    Text,
    Tone,
    noted,
)
from cogs.screens.limit_text import offered_values
from cogs.screens.pages import page_of, turning
from cogs.screens.renderer import LONGEST_OPTION, MOST_OPTIONS
from cogs.screens.safe_names import LONGEST_WORDS, safe_title, safe_words, unescaped
from cogs.screens.time_control_text import time_control_label
from cogs.servers.preset_screens import defaults_text, preset_text, value_text
from cogs.servers.queries import Bar
from cogs.updates.server_week import ServerWeek
from engines.options import takes

SUBJECT: Final = "settings"
"""What the controls of these screens act on, in place of a match."""
CLOCK: Final = "clock"
PRESET: Final = "preset"
STAND_IN: Final = "stand_in"
UNSET: Final = "0"
"""The parts of a line's value on the page of a game's defaults: ``<game>.clock.<key>``, ``<game>.preset.<key>``,
``<game>.stand_in.<word>``, ``<game>.<option>.v<value>``; `UNSET` in place of the last part for the default."""
PAGE: Final = 8
"""Changes on a page; and how many matches that are called off are listed with their ends."""
MOST_NAMED: Final = 3
LONGEST_VALUE: Final = 120
"""How many channels and characters of a value the list of changes has, so that a page fits into a message."""
_LISTS: Final = {
    server_settings.CHANNELS: ("#", "settings.all"),
    server_settings.ROLES: ("@&", "settings.all_members"),
    server_settings.EXCLUDED_ROLES: ("@&", "settings.nobody"),
    server_settings.HOSTS: ("@&", "settings.no_hosts"),
    server_settings.WEEK: ("#", "settings.nowhere"),
    server_settings.FIRST_ROLE: ("@&", "settings.no_role"),
    server_settings.GREETING: ("#", "settings.nowhere"),
}
"""The settings that are lists of channels or roles: the mark that has Discord show their names, and the key of what an
empty list means."""
_LISTED_KINDS: Final = (0, 2, 5, 13, 15)
"""Discord's numbers of the channels where matches can be played: text, voice, announcements, stages, forums."""
_POSTED_KINDS: Final = (0, 5)
"""Of those where the bot can post the week: text and announcements."""


def settings_screen(
    settings: server_settings.ServerSettings,
    lacking: tuple[str, ...],
    words: Translations,
    note: str = "",
    refused: Sequence[str] = (),
) -> Screen:
    """The settings of a server, a list for each, what it has `refused` of them, and what the bot lacks in the channel.
    The note comes first."""
    channels = ChannelSelect(
        Press("allow"), words("settings.channels"), server_settings.MOST_LISTED, settings.channels, _LISTED_KINDS
    )
    most = server_settings.MOST_LISTED
    rows: Rows = (
        (_choice(0, server_settings.PLACE, settings.place, words),),
        (channels,),
        (RoleSelect(Press("roles"), words("settings.roles"), most, settings.roles),),
        (RoleSelect(Press("notroles"), words("settings.excluded_roles"), most, settings.excluded_roles),),
        (RoleSelect(Press("hosts"), words("settings.hosts"), most, settings.hosts),),
        (ChannelSelect(Press("week"), words("settings.week"), 1, settings.week, _POSTED_KINDS),),
        (RoleSelect(Press("firstrole"), words("settings.first_role"), 1, settings.first_role),),
        (_choice(1, server_settings.BOARD_FORM, settings.board_form, words),),
        (_choice(2, server_settings.ENDERS, settings.enders, words),),
        (_choice(3, server_settings.SEASON, settings.season, words),),
        (_language(settings.language, words),),
        (_choice(5, server_settings.WEEKLY, settings.weekly, words),),
        (_games(words),),
        (
            Button(words("settings.everywhere"), Press("allowall"), enabled=bool(settings.channels)),
            Button(words("preset.title"), Press("presets"), enabled=bool(settings.presets)),
            Button(words("settings.greeting"), Press("greeting")),
            Button(words("settings.changes"), Press("changes", 0, "0")),
            Button(
                words("stuck.choose"),
                Press("stuck", 0, "0"),
                enabled=settings.enders is not server_settings.Enders.PLAYERS,
            ),
        ),
    )
    where = words("settings.all_channels")
    if settings.channels:
        where = words("settings.only_in", channels=_mentions(settings.channels))
    about = Text(words("settings.about"))
    sections = (*noted(note), about, Text("\n".join((where, *refused))), check_text(lacking, words))
    return Screen(words("settings.title"), sections, rows, tone=Tone.MAIN)


def refused_lines(settings: server_settings.ServerSettings, week: ServerWeek, words: Translations) -> list[str]:
    """What the server refuses of what its settings name, a line each."""
    posted = dict.fromkeys((*settings.week, *settings.greeting))
    lines = [words("week.refused", channel=f"<#{each}>") for each in posted if each in week.channels]
    roles = [each for each in settings.first_role if each in week.roles]
    lines += [words("week.role_refused", role=f"<@&{each}>") for each in roles]
    return lines + [
        words("preset.left_out", name=safe_title(name)) for name, read in settings.presets.items() if read is None
    ]


def _choice(nth: int, name: str, present: str, words: Translations) -> Select:
    options = tuple(
        Option(
            words("panel.value", option=words(f"settings.{name}"), value=words(f"settings.{name}.{word}")),
            f"{name}.{word}",
            chosen=word == present,
        )
        for word in server_settings.WORDS[name]
    )
    return Select(Press("set", nth), words(f"settings.{name}"), options)


def _language(present: str, words: Translations) -> Select:
    """In which language everybody reads, if there is not more than a list takes: first those that are whole."""
    shipped = languages()
    whole = [each for each in WHOLE if each in shipped]
    offered = ["", *whole, *[each for each in shipped if each not in whole]][:MOST_OPTIONS]
    options = tuple(
        Option(
            words("panel.value", option=words("settings.language"), value=_language_name(each, words)),
            f"{server_settings.LANGUAGE}.{each}",
            chosen=each == present,
        )
        for each in offered
    )
    return Select(Press("set", 4), words("settings.language"), options)


def _language_name(language: str, words: Translations) -> str:
    return name_of(language) if language else words("settings.language.discord")


def _games(words: Translations) -> Select:
    options = tuple(Option(GAMES[key].info.title, key) for key in [*GAMES][:MOST_OPTIONS])
    return Select(Press("defaults"), words("settings.defaults"), options)


def defaults_screen(
    game: str, defaults: server_settings.GameDefaults, usual: TimeControl, words: Translations, note: str = ""
) -> Screen:
    """What a challenge to a game has if its host does not choose, with a list for each part. `usual` is the bot's own
    clock. The note comes first."""
    info = GAMES[game].info
    lists: list[Select] = []

    def add(part: str, title: str, unset: str, picked: str, values: Iterable[tuple[str, str]]) -> None:
        options = tuple(
            Option(label[:100], f"{game}.{part}.{value}", chosen=value == (picked or UNSET))
            for label, value in ((unset, UNSET), *values)
        )
        lists.append(Select(Press("default", len(lists)), title[:150], options[:MOST_OPTIONS]))

    if info.turn_clock:
        clocks = [
            (words("settings.clock", clock=time_control_label(each, words)), key) for key, each in TIME_CONTROLS.items()
        ]
        unset = words("settings.own_clock", clock=time_control_label(usual, words))
        add(CLOCK, words("panel.clock"), unset, defaults.clock, clocks)
    presets = [(words(f"{game}.preset.{key}"), key) for key in server_settings.presets_of(game)]
    if presets:
        add(PRESET, words("panel.preset"), words("settings.own_preset"), defaults.preset, presets)
    if offers_stand_in(game):
        about = words("option.stand_in")
        unset, *words_of = [
            words("panel.value", option=words("stand_in.name"), value=words(f"stand_in.{each}")) for each in StandIn
        ]
        stand_ins = [(label, str(each)) for label, each in zip(words_of, [*StandIn][1:], strict=True)]
        add(STAND_IN, about, unset, "" if defaults.stand_in is StandIn.OFF else str(defaults.stand_in), stand_ins)
    for name, taken in takes(info.options).items():
        about = words(f"{game}.option.{name}")
        values = [
            (words("panel.value", option=about, value=value_text(game, name, taken, each, words)), f"v{each}")
            for each in offered_values(taken)
        ]
        picked = f"v{defaults.options[name]}" if name in defaults.options else ""
        add(name, about, words("settings.own_option", option=about), picked, values)
    buttons = (
        Button(words("settings.back"), Press("settings")),
        Button(words("settings.no_defaults"), Press("nodefaults", 0, game), enabled=bool(defaults.write())),
    )
    rows: Rows = (*((each,) for each in lists), buttons)
    title = words("settings.defaults_title", game=info.title)
    return Screen(title, (*noted(note), Text(words("settings.defaults_about"))), rows, tone=Tone.MAIN)


def value_of(game: str, option: str, written: str) -> Any:
    """The value of an option that a line on the page of defaults stands for. Raises ValueError for any other text."""
    taken = takes(GAMES[game].info.options).get(option)
    found = [] if taken is None else [value for value in offered_values(taken) if f"v{value}" == written]
    if not found:
        raise ValueError("not a value of the option")
    return found[0]


def changes_screen(
    changes: Sequence[SettingChange], names: Mapping[int, str], page: int, words: Translations
) -> Screen:
    """A page of the list of changes, counted from 0, the latest first. `names` has the safe names of who made them, and
    of whom they are about."""
    shown, page, last = page_of(changes, page, PAGE)
    lines = [_change(change, names, words) for change in shown]
    listed = "\n".join(lines) if lines else words("settings.no_changes")
    row = (
        Button(words("settings.back"), Press("settings")),
        *(turning("changes", page, last, words) if last else ()),
    )
    foot = words("settings.page", page=page + 1, pages=last + 1) if last else ""
    return Screen(words("settings.changes"), (Text(listed),), (row,), foot)


def _change(change: SettingChange, names: Mapping[int, str], words: Translations) -> str:
    name, when = names[change.user_id], f"<t:{change.at // 1000}:f>"
    about = "" if change.about_id is None else names[change.about_id]
    if change.name in set(server_settings.Act):
        return _act(change, words, name=name, when=when, player=about)
    game = (
        change.name.removeprefix(server_settings.DEFAULTS) if change.name.startswith(server_settings.DEFAULTS) else ""
    )
    setting = words("settings.defaults_title", game=game_title(game)) if game else _setting(change.name, words)
    former, value = (_clipped(_value(change.name, text, words)) for text in (change.former, change.value))
    return words("settings.change", name=name, when=when, setting=setting, former=former, value=value)


def _act(change: SettingChange, words: Translations, **said: str) -> str:
    """What a moderator did; `said` is who, when, and to whom."""
    match server_settings.Act(change.name):
        case server_settings.Act.ENDED | server_settings.Act.RELEASED:
            return words(f"moderate.did.{change.name}", game=game_title(change.value), **said)
        case server_settings.Act.BARRED if not change.value:
            return words("moderate.did.barred_for_good", **said)
        case server_settings.Act.BARRED:
            return words("moderate.did.barred", until=until_text(int(change.value)), **said)
        case _:
            return words(f"moderate.did.{change.name}", number=change.value, **said)


def _setting(name: str, words: Translations) -> str:
    if name.startswith(server_settings.PRESETS):
        named = safe_title(name.removeprefix(server_settings.PRESETS))
        return words("panel.value", option=words("preset.title"), value=named)
    known = (*server_settings.WORDS, *_LISTS, server_settings.LANGUAGE, server_settings.GREETING_WORDS)
    return words(f"settings.{name}") if name in known else name


def _value(name: str, text: str, words: Translations) -> str:
    """The value of a setting, as the store has it, in words."""
    if name in server_settings.WORDS:
        word = text if text in set(server_settings.WORDS[name]) else next(iter(server_settings.WORDS[name]))
        return words(f"settings.{name}.{word}")
    if name == server_settings.LANGUAGE:
        return _language_name(text, words)
    if name in _LISTS:
        mark, empty = _LISTS[name]
        ids = server_settings.read_ids(text)
        more = len(ids) - MOST_NAMED
        listed = _mentions(ids[:MOST_NAMED], mark)
        return (f"{listed} +{more}" if more > 0 else listed) or words(empty)
    if name.startswith(server_settings.DEFAULTS):
        game = name.removeprefix(server_settings.DEFAULTS)
        return defaults_text(game, server_settings.GameDefaults.read(game, text), words)
    if name.startswith(server_settings.PRESETS):
        return preset_text(server_settings.NamedPreset.read(name, text), words) if text else words("settings.no_preset")
    return safe_words(text) or words("settings.no_words") if name == server_settings.GREETING_WORDS else text


def _clipped(text: str) -> str:
    return text if len(text) <= LONGEST_VALUE else f"{text[: LONGEST_VALUE - 1]}…"


def _mentions(ids: Iterable[int], mark: str = "#") -> str:
    return " ".join(f"<{mark}{each}>" for each in ids)


def greeting_screen(lacking: tuple[str, ...], words: Translations, added: tuple[Button, ...] = ()) -> Screen:
    """What the bot is, how to begin, where its settings are, which permissions it lacks in the channel, and the buttons
    that rooms have `added`."""
    games = " · ".join(game.info.title for game in GAMES.values())
    return Screen(
        words("greeting.title"),
        (
            Text(words("greeting.about", games=games)),
            Text(f"{words('greeting.members')}\n{words('greeting.begin')}"),
            check_text(lacking, words),
        ),
        (added,),
        tone=Tone.MAIN,
    )


def members_screen(own: str, words: Translations, added: tuple[Button, ...] = ()) -> Screen:
    """What the bot is and how to begin, for members, below what the server says itself, if it says something."""
    games = " · ".join(game.info.title for game in GAMES.values())
    about = Text(words("greeting.about", games=games)), Text(words("greeting.members"))
    return Screen(words("greeting.title"), (*_own_words(own, words), *about), (added,), tone=Tone.MAIN)


def greeting_page(settings: server_settings.ServerSettings, words: Translations, note: str = "") -> Screen:
    """Where members are greeted, and with which words of the server's own. The note comes first."""
    channel = ChannelSelect(Press("greetat"), words("settings.greeting_where"), 1, settings.greeting, _POSTED_KINDS)
    own = _own_words(settings.greeting_words, words)
    buttons = (
        Button(words("settings.back"), Press("settings")),
        Button(words("settings.ask_words"), Press("greetask")),
        Button(words("settings.without_words"), Press("nowords"), enabled=bool(own)),
    )
    sections = (*noted(note), Text(words("settings.greeting_about")), *own)
    return Screen(words("settings.greeting"), sections, ((channel,), buttons), tone=Tone.MAIN)


def words_form(words: Translations) -> Form:
    """The form for what a server says itself."""
    hint = words("settings.words_hint", most=LONGEST_WORDS)
    return Form(Press("greetwords"), words("settings.greeting"), words("settings.words_label"), hint, LONGEST_WORDS)


def _own_words(own: str, words: Translations) -> tuple[Text, ...]:
    """What a server says itself, as its words and nobody else's."""
    shown = safe_words(own)
    return (Text(words("greeting.own", words=shown)),) if shown else ()


NEEDED: Final = (
    "view_channel",
    "send_messages",
    "read_message_history",
    "embed_links",
    "attach_files",
    "create_public_threads",
    "send_messages_in_threads",
)
"""By the names that discord.py gives them. Emojis of the application itself need no permission
(https://discord.com/developers/docs/resources/emoji#application-owned-emoji), and neither does reopening a thread that
was archived for quiet (https://discord.com/developers/docs/topics/threads#permissions)."""


def missing(granted: object) -> tuple[str, ...]:
    """The needed permissions that are not granted. `granted` has an attribute for each, as `discord.Permissions`."""
    return tuple(name for name in NEEDED if not getattr(granted, name))


def check_text(lacking: tuple[str, ...], words: Translations) -> Text:
    """What the bot lacks in a channel, in words."""
    if not lacking:
        return Text(words("check.whole"))
    lines = [
        words("check.lacking"),
        *(f"- **{words(f'permission.{name}')}**: {words(f'check.{name}')}" for name in lacking),
    ]
    return Text("\n".join((*lines, words("check.how"))))


STUCK: Final = "stuck"
"""What the controls of the list act on, in place of a match."""
_HOUR: Final = 3_600_000
LENGTHS: Final[Mapping[str, int | None]] = MappingProxyType(
    {"hour": _HOUR, "day": 24 * _HOUR, "week": 7 * 24 * _HOUR, "good": None}
)
"""For how long somebody can be barred (ms); None is for good."""


@dataclass(frozen=True, slots=True)
class StuckMatch:
    """A match in the list: its id, its game's title, its players' safe names, in words what it waits for, and if it is
    called off when it ends (ms UTC)."""

    id: str
    game: str
    names: tuple[str, ...]
    state: str
    ends_at: int | None = None

    def line(self, words: Translations) -> str:
        """The match in one line."""
        return words("board.title", game=self.game, players=words("board.versus").join(self.names))

    def option(self, words: Translations) -> Option:
        """The match as a line of a list."""
        line, state = (cut_whole(unescaped(each), LONGEST_OPTION) for each in (self.line(words), self.state))
        return Option(line, self.id, state)


def stuck_screen(
    matches: Sequence[StuckMatch], page: int, words: Translations, *, here: bool, note: str = ""
) -> Screen:
    """A page of the matches, counted from 0. `here` says that they are those of one channel. The note comes first."""
    if not matches:
        return Screen(words("stuck.title"), (*noted(note), Text(words("stuck.none_here" if here else "stuck.none"))))
    shown, page, last = page_of(matches, page, MOST_OPTIONS)
    rows = _lists(shown, words)
    if last:
        rows += (turning("stuck", page, last, words),)
    about = Text("\n".join((words("stuck.about"), *([words("stuck.about_here")] if here else []))))
    foot = words("rules.page", page=page + 1, pages=last + 1) if last else ""
    return Screen(words("stuck.title"), (*noted(note), about, *_ends_of_called_off(shown, words)), rows, foot)


def player_screen(
    player: int,
    matches: Sequence[StuckMatch],
    seats: int,
    bar: Bar | None,
    words: Translations,
    *,
    aside: bool,
    may_bar: bool,
    note: str = "",
) -> Screen:
    """What somebody plays, on how many seats they wait for others, whether they are barred or set `aside`, and what can
    be done."""
    named = mention(player)
    shown = matches[:MOST_OPTIONS]
    called_off = [match for match in matches if match.ends_at is not None]
    lines = [words("moderate.plays", player=named, matches=len(matches), seats=seats)]
    if bar is not None:
        key = "moderate.barred" if bar.until is not None else "moderate.barred_for_good"
        lines.append(words(key, player=named, when=until_text(bar.until)))
    if aside:
        lines.append(words("moderate.set_aside", player=named))
    can_end = len(matches) > len(called_off) or seats > 0
    lift = Button(words("moderate.lift"), Press("unbar"), enabled=bar is not None)
    buttons = (
        Button(words("moderate.call_off_all"), Press("stuckall"), Tone.BAD, enabled=can_end),
        Button(words("moderate.undo_all"), Press("stuckundo"), enabled=bool(called_off)),
        *((lift, _setting_aside(aside, words)) if may_bar else ()),
    )
    lengths = tuple(Option(words(f"moderate.for.{length}"), length) for length in LENGTHS)
    barring: Rows = ((Select(Press("bar"), words("moderate.bar"), lengths),),) if may_bar else ()
    about = (
        Text("\n".join(lines)),
        Text("\n".join((words("stuck.about"), words("moderate.about")))),
        *_ends_of_called_off(shown, words),
    )
    return Screen(words("moderate.title"), (*noted(note), *about), (*_lists(shown, words), *barring, buttons))


def _setting_aside(aside: bool, words: Translations) -> Button:
    if aside:
        return Button(words("moderate.take_back"), Press("putback"))
    return Button(words("moderate.set_aside_button"), Press("setaside"))


def _lists(matches: Sequence[StuckMatch], words: Translations) -> Rows:
    """The lists from which a match can be called off, and brought back."""
    found: Rows = ()
    for verb, key, called_off in (("stuckask", "stuck.choose", False), ("stuckback", "stuck.undo", True)):
        options = tuple(match.option(words) for match in matches if (match.ends_at is not None) is called_off)
        if options:
            found += ((Select(Press(verb), words(key), options),),)
    return found


def _ends_of_called_off(matches: Sequence[StuckMatch], words: Translations) -> tuple[Text, ...]:
    """When the first of the matches end that are called off."""
    lines = [
        words("stuck.ends", match=match.line(words), when=f"<t:{match.ends_at // 1000}:R>")
        for match in matches
        if match.ends_at is not None
    ]
    return (Text("\n".join(lines[:PAGE])),) if lines else ()


def until_text(until: int | None) -> str:
    """A moment (ms UTC) as Discord shows it; empty for none."""
    return "" if until is None else f"<t:{until // 1000}:f>"


def ask_screen(match: StuckMatch, words: Translations) -> Screen:
    """The question before a match is called off that an error has stopped."""
    players = words("board.versus").join(match.names)
    row = (
        Button(words("stuck.back"), Press("stuck", 0, "0")),
        Button(words("stuck.end"), Press("stuckend"), Tone.BAD),
    )
    told = Text(words("stuck.ask", game=match.game, players=players))
    return Screen(words("stuck.ask_title"), (told,), (row,), tone=Tone.BAD)
