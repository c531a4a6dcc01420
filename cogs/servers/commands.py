"""The command /settings: what is set in a server, for members with Manage Server."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Final

from discord import Permissions, app_commands

from bot.games import GAMES
from bot.gateway.command_texts import Describe
from bot.languages import languages
from bot.play import server_settings
from bot.play.computers.stand_ins import offers_stand_in
from bot.play.match_registry import MatchRegistry
from bot.play.refusals import Refused, checked_options, translate_errors
from bot.play.server_settings import GameDefaults, KnownServerSettings
from bot.settings import Settings
from bot.store.queries.invitations import StandIn
from bot.store.store import Store
from bot.time_controls import TIME_CONTROLS, time_control
from cogs.actions.component_press import Capability, Command, ComponentPress, Verbs
from cogs.interactions.responses import Interaction, open_form, reply_private, translations_for
from cogs.interactions.venues import in_servers, server_of
from cogs.screens import custom_ids
from cogs.screens.safe_names import LONGEST_WORDS, safe_words
from cogs.servers import preset_screens, screens
from cogs.updates.screen_updates import ScreenUpdates
from cogs.updates.server_week import ServerWeek
from cogs.wording import Wording

_LISTS: Final = {
    "allow": server_settings.CHANNELS,
    "roles": server_settings.ROLES,
    "notroles": server_settings.EXCLUDED_ROLES,
    "hosts": server_settings.HOSTS,
    "week": server_settings.WEEK,
}
"""The settings that are lists of channels or roles, by the verb of a pick."""


@dataclass(slots=True, eq=False)
class SettingsPages(Capability):
    """The command `/settings` and the controls of its screens. Each change is saved at once."""

    verbs = Verbs()

    server_settings: KnownServerSettings
    settings: Settings
    store: Store
    wording: Wording
    matches: MatchRegistry
    updates: ScreenUpdates
    week: ServerWeek
    _saving: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)
    """Held from the look at a game's defaults until they are saved, so that of two changes at once none is lost."""

    @verbs("settings")
    async def _back(self, press: ComponentPress) -> None:
        await self._show(press.interaction, _manager(press.interaction))

    @verbs("set")
    async def _set(self, press: ComponentPress) -> None:
        name, _, word = press.arg.partition(".")
        await self._save_and_show(press, name, _stored(name, word))

    @verbs(*_LISTS)
    async def _choose(self, press: ComponentPress) -> None:
        """Save the channels or roles that were picked from a list."""
        await self._save_ids(press, _LISTS[press.verb])

    @verbs("allowall")
    async def _allow_everywhere(self, press: ComponentPress) -> None:
        await self._save_and_show(press, server_settings.CHANNELS, "")

    @verbs("firstrole")
    async def _choose_first_role(self, press: ComponentPress) -> None:
        """Save the role of the season's first: one that has no power, since people get it by winning."""
        _manager(press.interaction)
        data = dict(press.interaction.data or {})
        if custom_ids.read_ids(data) and not (press.interaction.permissions.manage_roles and _is_harmless(data)):
            raise Refused("settings.role_not_harmless")
        await self._save_ids(press, server_settings.FIRST_ROLE)

    async def _save_ids(self, press: ComponentPress, name: str) -> None:
        chosen = custom_ids.read_ids(dict(press.interaction.data or {}))[: server_settings.MOST_LISTED]
        await self._save_and_show(press, name, server_settings.write_ids(chosen))

    async def _save_and_show(self, press: ComponentPress, name: str, value: str) -> None:
        guild_id = _manager(press.interaction)
        note = await self._save(press, guild_id, name, value)
        await self._show(press.interaction, guild_id, note)

    async def _save(self, press: ComponentPress, guild_id: int, name: str, value: str) -> str:
        """Save a setting. Returns the note to show. Raises Refused if it could not be saved."""
        changing = self.server_settings.change(guild_id, press.user_id, name, value)
        if await translate_errors(changing) and name in (server_settings.BOARD_FORM, server_settings.LANGUAGE):
            await self.wording.prepare(press.interaction)
            self.updates.show_boards(self.matches.with_boards(guild_id))
        return press.words("settings.saved")

    # ------------------------------------------------------------------------------------ the defaults of a game

    @verbs("defaults")
    async def _defaults(self, press: ComponentPress) -> None:
        await self._show_defaults(press, _manager(press.interaction), _game(press.arg))

    @verbs("default")
    async def _default(self, press: ComponentPress) -> None:
        """Save the part of a game's defaults that was picked, if they still fit together."""
        guild_id = _manager(press.interaction)
        named, _, picked = press.arg.partition(".")
        game = _game(named)
        part, _, value = picked.partition(".")
        async with self._saving:
            changed = _changed(game, self.server_settings.of(guild_id).defaults_of(game), part, value)
            with checked_options():
                changed.check(game)
            note = await self._save(press, guild_id, f"{server_settings.DEFAULTS}{game}", changed.write())
        await self._show_defaults(press, guild_id, game, note)

    @verbs("nodefaults")
    async def _no_defaults(self, press: ComponentPress) -> None:
        guild_id, game = _manager(press.interaction), _game(press.arg)
        note = await self._save(press, guild_id, f"{server_settings.DEFAULTS}{game}", "")
        await self._show_defaults(press, guild_id, game, note)

    async def _show_defaults(self, press: ComponentPress, guild_id: int, game: str, note: str = "") -> None:
        words = press.words
        defaults = self.server_settings.of(guild_id).defaults_of(game)
        screen = screens.defaults_screen(game, defaults, time_control(self.settings.default_clock), words, note)
        await press.reply(screen, screens.SUBJECT)

    # ------------------------------------------------------------------------------------ the greeting of members

    @verbs("greeting")
    async def _greeting(self, press: ComponentPress) -> None:
        await self._show_greeting(press, _manager(press.interaction))

    @verbs("greetat")
    async def _greet_in(self, press: ComponentPress) -> None:
        chosen = custom_ids.read_ids(dict(press.interaction.data or {}))[:1]
        await self._save_greeting(press, server_settings.GREETING, server_settings.write_ids(chosen))

    @verbs("greetask")
    async def _ask_words(self, press: ComponentPress) -> None:
        _manager(press.interaction)
        if not await open_form(press.interaction, screens.words_form(press.words), press.target):
            await press.reply_text(press.words("press.form_late"))

    @verbs("greetwords")
    async def _set_words(self, press: ComponentPress) -> None:
        typed = custom_ids.read_typed(dict(press.interaction.data or {}))[:LONGEST_WORDS]
        if not safe_words(typed):
            raise Refused("settings.words_invisible")
        await self._save_greeting(press, server_settings.GREETING_WORDS, typed)

    @verbs("nowords")
    async def _no_words(self, press: ComponentPress) -> None:
        await self._save_greeting(press, server_settings.GREETING_WORDS, "")

    async def _save_greeting(self, press: ComponentPress, name: str, value: str) -> None:
        guild_id = _manager(press.interaction)
        await self._show_greeting(press, guild_id, await self._save(press, guild_id, name, value))

    async def _show_greeting(self, press: ComponentPress, guild_id: int, note: str = "") -> None:
        screen = screens.greeting_page(self.server_settings.of(guild_id), press.words, note)
        await press.reply(screen, screens.SUBJECT)

    # ------------------------------------------------------------------------------------ the list of changes

    @verbs("changes")
    async def _changes(self, press: ComponentPress) -> None:
        guild_id = _manager(press.interaction)
        page = custom_ids.read_page(press.arg)
        changes = await self.store.setting_changes(guild_id)
        words = press.words
        users = {user for change in changes for user in (change.user_id, change.about_id) if user is not None}
        await self.wording.load(guild_id, users)
        names = {user: self.wording.name(guild_id, user, words) for user in users}
        screen = screens.changes_screen(changes, names, page, words)
        await press.reply(screen, screens.SUBJECT)

    # ------------------------------------------------------------------------------------ the server's own presets

    @verbs("presets")
    async def _presets(self, press: ComponentPress) -> None:
        await self._show_presets(press, _manager(press.interaction))

    @verbs("unpreset")
    async def _remove_preset(self, press: ComponentPress) -> None:
        """Remove what was picked, unless somebody else already has."""
        guild_id = _manager(press.interaction)
        for name in self.server_settings.of(guild_id).presets:
            if preset_screens.code_of(name) == press.arg:
                note = await self._save(press, guild_id, f"{server_settings.PRESETS}{name}", "")
                break
        else:
            note = ""
        await self._show_presets(press, guild_id, note)

    async def _show_presets(self, press: ComponentPress, guild_id: int, note: str = "") -> None:
        presets = self.server_settings.of(guild_id).presets
        await press.reply(preset_screens.presets_screen(presets, press.words, note), screens.SUBJECT)

    def _commands(self, say: Describe) -> tuple[Command, ...]:
        @in_servers
        @app_commands.default_permissions(manage_guild=True)
        @app_commands.command(name="settings", description=say("command.settings"))
        async def settings(interaction: Interaction) -> None:
            await self._show(interaction, _manager(interaction))

        return (settings,)

    async def _show(self, interaction: Interaction, guild_id: int, note: str = "") -> None:
        words = translations_for(interaction)
        settings = self.server_settings.of(guild_id)
        refused = screens.refused_lines(settings, self.week, words)
        lacking = screens.missing(interaction.app_permissions)
        screen = screens.settings_screen(settings, lacking, words, note, refused)
        await reply_private(interaction, screen, screens.SUBJECT)


def _manager(interaction: Interaction) -> int:
    """The server of an interaction whose member may manage it. Raises Refused for anybody else.

    Discord shows the command to such members only, but a server can change that, and anybody can send a press.
    """
    guild_id = server_of(interaction)
    if not interaction.permissions.manage_guild:
        raise Refused("settings.not_yours")
    return guild_id


def _is_harmless(data: dict[str, Any]) -> bool:
    """Whether the roles that were picked have no permission of moderators, as Discord says beside the pick."""
    picked = data.get("resolved", {}).get("roles", {}).values()
    powers = Permissions.elevated().value
    return bool(picked) and not any(int(each["permissions"]) & powers for each in picked)


def _stored(name: str, word: str) -> str:
    """What the store has of a setting for a line of its list: nothing for the default. Raises UnknownCustomId."""
    if name == server_settings.LANGUAGE and word in ("", *languages()):
        return word
    if name not in server_settings.WORDS or word not in set(server_settings.WORDS[name]):
        raise custom_ids.UnknownCustomId("no such setting")
    return "" if word == next(iter(server_settings.WORDS[name])) else word


def _game(key: str) -> str:
    if key not in GAMES:
        raise custom_ids.UnknownCustomId("no such game")
    return key


def _changed(game: str, defaults: GameDefaults, part: str, value: str) -> GameDefaults:
    """The defaults of a game with another value of one part. Raises UnknownCustomId."""
    unset = value == screens.UNSET
    if part == screens.CLOCK and (unset or value in TIME_CONTROLS):
        return replace(defaults, clock="" if unset else value)
    if part == screens.PRESET and (unset or value in server_settings.presets_of(game)):
        return replace(defaults, preset="" if unset else value)
    if part == screens.STAND_IN and (unset or value in set(StandIn)) and offers_stand_in(game):
        return replace(defaults, stand_in=StandIn.OFF if unset else StandIn(value))
    options = {name: kept for name, kept in defaults.options.items() if name != part}
    try:
        more = {} if unset else {part: screens.value_of(game, part, value)}
    except ValueError:
        raise custom_ids.UnknownCustomId("no such default") from None
    return replace(defaults, options=MappingProxyType({**options, **more}))
