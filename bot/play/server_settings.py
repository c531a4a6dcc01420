"""The settings of a server: what they mean, and the texts that the store keeps of them.

A text that this program cannot read, such as an option that a game no longer has, counts as the default. So a newer or
an older program may have written it. The settings of all servers are in memory: screens need them at once, and few
servers change any.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final

from bot.games import GAMES
from bot.kept import Kept
from bot.languages import language_named
from bot.play.computers.stand_ins import offers_stand_in
from bot.play.matchmaking.series import LENGTHS
from bot.play.refusals import translate_errors
from bot.play.seasons import SeasonLength
from bot.store.queries.invitations import StandIn
from bot.store.queries.server_settings import SettingChange
from bot.store.store import Store
from bot.time_controls import TIME_CONTROLS, time_control
from engines.options import OptionRefused, takes

PLACE: Final = "place"
CHANNELS: Final = "channels"
BOARD_FORM: Final = "board_form"
ENDERS: Final = "enders"
SEASON: Final = "season"
WEEKLY: Final = "weekly"
LANGUAGE: Final = "language"
ROLES: Final = "roles"
EXCLUDED_ROLES: Final = "excluded_roles"
HOSTS: Final = "hosts"
WEEK: Final = "week"
FIRST_ROLE: Final = "first_role"
GREETING: Final = "greeting"
GREETING_WORDS: Final = "greeting_words"
DEFAULTS: Final = "defaults."
PRESETS: Final = "preset."
"""The names of the settings in the store. The defaults of a game have the game's key after the dot, and what a server
has named has that name."""


class Act(StrEnum):
    """What a moderator did, as the list of changes has it. It is no setting."""

    ENDED = "called_off"
    """They called a match off: `former` is its id, `value` its game."""
    RELEASED = "brought_back"
    """They took that back."""
    ENDED_ALL = "called_off_all"
    """They called off what somebody plays; `value` is how many matches and tables that were."""
    RELEASED_ALL = "brought_back_all"
    BARRED = "barred"
    """They barred somebody from playing; `value` is until when (ms UTC), and empty for good."""
    LIFTED = "bar_lifted"
    SET_ASIDE = "set_aside"
    """They set somebody's results aside, off all leaderboards."""
    TAKEN_BACK = "set_aside_lifted"
    RESET = "standings_reset"
    """They had the server's standings start over."""
    RESET_TAKEN_BACK = "standings_reset_lifted"


MOST_LISTED: Final = 25
"""How many channels or roles can be picked for a setting: as many as a list on Discord takes."""
MOST_PRESETS: Final = 10
"""How many presets of its own a server can have."""


class MatchVenue(StrEnum):
    """Where matches are played, unless the host chooses otherwise."""

    CHANNEL = "channel"
    THREAD = "thread"
    """Each in a thread of its own, if there can be one."""


class BoardForm(StrEnum):
    """What the public board shows."""

    PICTURE = "picture"
    """A picture of the table."""
    EMOJIS = "emojis"
    """The table in words, with cards as emojis."""
    TEXT = "text"


class Enders(StrEnum):
    """Who may call off other people's matches."""

    MANAGERS = "managers"
    """Members with Manage Server."""
    MODERATORS = "moderators"
    """Also members with Manage Messages, in the channels where they have it."""
    PLAYERS = "players"
    """Nobody: only its players end a match, as the rules let them."""


class WeeklyStandings(StrEnum):
    """Whether all servers read how a server did in the deals of the week: its name and its score."""

    HIDDEN = "hidden"
    SHOWN = "shown"


@dataclass(frozen=True, slots=True)
class GameDefaults:
    """What a challenge to a game has if the host does not choose: a clock's key, a preset's, options by name, and what
    becomes of absent seats (C-8).

    An empty key is the bot's own default.
    """

    clock: str = ""
    preset: str = ""
    options: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    stand_in: StandIn = StandIn.OFF

    @classmethod
    def read(cls, game: str, text: str) -> GameDefaults:
        """The defaults that `write` wrote. What the game does not take, or no longer takes, is left out."""
        try:
            stored = json.loads(text)
        except ValueError:
            return cls()
        if game not in GAMES or not isinstance(stored, dict):
            return cls()
        info = GAMES[game].info
        clock, preset, options = stored.get("clock"), stored.get("preset"), stored.get("options")
        known = takes(info.options)
        picked = {
            name: value
            for name, value in (options.items() if isinstance(options, dict) else ())
            if name in known and _accepts(known[name], value)
        }
        return cls(
            clock if isinstance(clock, str) and _is_clock(clock) else "",
            preset if isinstance(preset, str) and preset in presets_of(game) else "",
            MappingProxyType(picked),
            _stand_in(game, stored.get("stand_in")),
        )

    def write(self) -> str:
        """The defaults as a text; empty if there are none."""
        stored = {"clock": self.clock, "preset": self.preset, "options": dict(self.options)}
        kept = {name: value for name, value in stored.items() if value}
        if self.stand_in is not StandIn.OFF:
            kept["stand_in"] = self.stand_in.value
        return json.dumps(kept, sort_keys=True, separators=(",", ":")) if kept else ""

    def base(self, game: str, preset: str | None = None, recommended: str = "") -> Any:
        """The game's options if the host gives none but perhaps a preset, which then counts alone.

        `recommended` is the preset that the bot chooses if the server has none (C-11); without it, the author's own
        settings count.
        """
        info = GAMES[game].info
        if preset:
            return info.presets[preset]
        chosen = self.preset or recommended
        own = info.presets[chosen] if chosen else info.options()
        try:
            return replace(own, **self.options)
        except OptionRefused:  # the options were fitting when they were set, and the rules have changed since
            return own

    def check(self, game: str) -> None:
        """Raise OptionRefused if the options do not fit together."""
        info = GAMES[game].info
        replace(info.presets[self.preset] if self.preset else info.options(), **self.options)


def _stand_in(game: str, stored: object) -> StandIn:
    known = isinstance(stored, str) and stored in set(StandIn) and offers_stand_in(game)
    return StandIn(str(stored)) if known else StandIn.OFF


@dataclass(frozen=True, slots=True)
class NamedPreset:
    """What a match is played with, under a name that a server has given it. The name is plain
    (`cogs.screens.safe_names.plain_title`). Terms without a preset have the game's only one."""

    name: str
    game: str
    terms: GameDefaults
    best_of: int = 1

    @classmethod
    def read(cls, name: str, text: str) -> NamedPreset | None:
        """The preset that `write` wrote; None if any of it is no longer valid: part of it would be another match."""
        try:
            stored = json.loads(text)
            read = cls(name, stored["game"], GameDefaults.read(stored["game"], stored["terms"]), stored["best_of"])
            if read.write() != text or not read._is_valid():
                return None
        except (ValueError, LookupError, TypeError):  # refused options are a ValueError
            return None
        return read

    def write(self) -> str:
        """The preset as a text."""
        stored = {"game": self.game, "terms": self.terms.write(), "best_of": self.best_of}
        return json.dumps(stored, sort_keys=True, separators=(",", ":"))

    def _is_valid(self) -> bool:
        """Whether a panel offers all of it. Raises ValueError if the options do not fit together."""
        info = GAMES[self.game].info
        clocks = TIME_CONTROLS if info.turn_clock else ("",)
        presets = presets_of(self.game) or ("",)
        self.terms.check(self.game)
        return self.terms.clock in clocks and self.terms.preset in presets and self.best_of in (1, *LENGTHS)


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """The settings of a server. `channels` are those where games are allowed; none means all. Members with one of the
    `roles` may play, without any all; none who has one of the `excluded_roles`."""

    place: MatchVenue = MatchVenue.CHANNEL
    channels: tuple[int, ...] = ()
    board_form: BoardForm = BoardForm.PICTURE
    enders: Enders = Enders.MANAGERS
    season: SeasonLength = SeasonLength.MONTH
    weekly: WeeklyStandings = WeeklyStandings.HIDDEN
    defaults: Mapping[str, GameDefaults] = field(default_factory=lambda: MappingProxyType({}))
    roles: tuple[int, ...] = ()
    excluded_roles: tuple[int, ...] = ()
    hosts: tuple[int, ...] = ()
    """The roles that may host what is for the whole server; none means who may manage its events."""
    week: tuple[int, ...] = ()
    """The channel in which the bot posts the server's week; empty for none."""
    first_role: tuple[int, ...] = ()
    """The role of who was first of the last season; empty for none."""
    greeting: tuple[int, ...] = ()
    """The channel in which the bot says to members what it is; empty for none."""
    greeting_words: str = ""
    """What the server says there itself, as it was typed."""
    language: str = ""
    """What everybody reads there, as gettext names it; empty for the language that the server has on Discord."""

    presets: Mapping[str, NamedPreset | None] = field(default_factory=lambda: MappingProxyType({}))
    """What the server has named, by name; None where that is no longer valid."""

    @classmethod
    def read(cls, stored: Mapping[str, str]) -> ServerSettings:
        """The settings that the store has as texts, by name."""
        defaults = {
            name.removeprefix(DEFAULTS): GameDefaults.read(name.removeprefix(DEFAULTS), text)
            for name, text in stored.items()
            if name.startswith(DEFAULTS)
        }
        words: dict[str, Any] = {
            name: kind(stored[name]) for name, kind in WORDS.items() if stored.get(name) in set(kind)
        }
        words |= {name: read_ids(stored.get(name, "")) for name in _IDS}
        language = language_named(stored.get(LANGUAGE, ""))
        named = {name.removeprefix(PRESETS): text for name, text in sorted(stored.items()) if name.startswith(PRESETS)}
        presets = MappingProxyType({name: NamedPreset.read(name, text) for name, text in named.items()})
        own = stored.get(GREETING_WORDS, "")
        return cls(defaults=MappingProxyType(defaults), language=language, presets=presets, greeting_words=own, **words)

    def allows(self, *channel_ids: int | None) -> bool:
        """Whether games are allowed in a channel, or in a thread that is given with its channel."""
        return not self.channels or any(each in self.channels for each in channel_ids)

    def admits(self, roles: Collection[int]) -> bool:
        """Whether a member with these roles may play."""
        if any(each in roles for each in self.excluded_roles):
            return False
        return not self.roles or any(each in roles for each in self.roles)

    def defaults_of(self, game: str) -> GameDefaults:
        """What a challenge to a game has if the host does not choose."""
        return self.defaults.get(game, GameDefaults())

    def named(self, game: str) -> tuple[NamedPreset, ...]:
        """The server's own presets of a game that are valid."""
        return tuple(each for each in self.presets.values() if each is not None and each.game == game)


def presets_of(game: str) -> tuple[str, ...]:
    """The keys of a game's presets; none if it has only one, which then has no name."""
    presets = GAMES[game].info.presets
    return tuple(presets) if len(presets) > 1 else ()


WORDS: Final[Mapping[str, type[StrEnum]]] = MappingProxyType(
    {PLACE: MatchVenue, BOARD_FORM: BoardForm, ENDERS: Enders, SEASON: SeasonLength, WEEKLY: WeeklyStandings}
)
"""The settings that are one of a few words. `ServerSettings` has each under the same name."""
_IDS: Final = (CHANNELS, ROLES, EXCLUDED_ROLES, HOSTS, WEEK, FIRST_ROLE, GREETING)


def read_ids(text: str) -> tuple[int, ...]:
    """The channels or roles that `write_ids` wrote; none for any other text."""
    numbers = text.split()
    return tuple(map(int, numbers)) if all(each.isascii() and each.isdigit() for each in numbers) else ()


def write_ids(ids: tuple[int, ...]) -> str:
    """Channels or roles as a text; empty for none."""
    return " ".join(map(str, sorted(set(ids))))


def _is_clock(key: str) -> bool:
    try:
        time_control(key)
    except ValueError:
        return False
    return True


def _accepts(taken: Any, value: object) -> bool:
    try:
        taken.check("", value)
    except OptionRefused:
        return False
    return value is not None


_UNCHANGED = ServerSettings()


class KnownServerSettings:
    """What is set in each server. Changes go through this object, into the store first."""

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        """`now` is the time of day in ms UTC."""
        self._store = store
        self._now = now
        self._stored: Kept[int, dict[str, str]] = Kept("servers with settings")
        self._read: dict[int, ServerSettings] = {}
        self._changing = asyncio.Lock()

    async def load(self) -> None:
        """Read the settings of all servers. Raises StoreError."""
        found = await self._store.server_settings()
        self._stored.clear()
        self._stored.update(found)
        self._read = {guild_id: ServerSettings.read(stored) for guild_id, stored in self._stored.items()}

    def of(self, guild_id: int) -> ServerSettings:
        """What is set in a server."""
        return self._read.get(guild_id, _UNCHANGED)

    def with_posts(self) -> list[int]:
        """The servers that have chosen a channel for their week, or for the greeting of members."""
        return [guild_id for guild_id, settings in self._read.items() if settings.week or settings.greeting]

    async def change(self, guild_id: int, user_id: int, name: str, value: str) -> bool:
        """Change a setting and record who did it. An empty value is the default. Returns whether it was another.

        Raises Unsaved; then it stays as it was.
        """
        async with self._changing:
            former = self._stored.get(guild_id, {}).get(name, "")
            if former == value:
                return False
            change = SettingChange(guild_id, user_id, self._now(), name, former, value)
            await translate_errors(self._store.change_setting(change))
            stored = {**self._stored.get(guild_id, {}), name: value}
            self._stored[guild_id] = {name: value for name, value in stored.items() if value}
            self._read[guild_id] = ServerSettings.read(self._stored[guild_id])
            return True

    async def note_act(
        self, guild_id: int, user_id: int, act: Act, former: str = "", value: str = "", *, about: int | None = None
    ) -> None:
        """Record what a moderator did, perhaps about somebody. Raises Unsaved."""
        change = SettingChange(guild_id, user_id, self._now(), act, former, value, about)
        await translate_errors(self._store.record_change(change))

    def forget_server(self, guild_id: int) -> None:
        """Forget the settings of a purged server."""
        self._stored.pop(guild_id, None)
        self._read.pop(guild_id, None)
