"""The commands as Discord gets them: each with its names and texts in every language that there is.

Discord refuses all commands for one wrong text. So a text that it would not take, from a catalogue of somebody else or
of somebody who has just begun one, is left out and is English there: one of a wrong form, one that is too long, and a
name that another command or option beside it has. What makes a command too long as a whole is left out by language.

Source: https://discord.com/developers/docs/interactions/application-commands#localization
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final, TypeAlias

from discord import Locale, app_commands

from bot.games import DISTRIBUTIONS, PACKAGES
from bot.gateway import command_texts
from bot.gateway.installations import InstallationType, InteractionContextType
from bot.languages import DEFAULT_LANGUAGE, LOCALES, folders
from bot.ui import command_names
from bot.ui.catalogue import Translations, translations

MOST_CHARACTERS: Final = 8000
"""Of a command's names, descriptions and values, with the longest of each text's languages."""
LONGEST_NAME: Final = 32
LONGEST_DESCRIPTION: Final = 100
LONGEST_CHOICE: Final = 100

Command: TypeAlias = "app_commands.Command[Any, ..., Any] | app_commands.Group | app_commands.ContextMenu"
Payload: TypeAlias = dict[str, Any]
_Words: TypeAlias = Mapping[str, Translations]

_NAMES: Final = "name_localizations"
_DESCRIPTIONS: Final = "description_localizations"


def fingerprint(tree: app_commands.CommandTree[Any], *, to_people: bool) -> str:
    """Tells the commands from any others, without reading a language: by what they are in English, the files of all
    languages, and the code that makes the one into the other. `to_people` if they are offered `to_people`."""
    english = sorted((command.to_dict(tree) for command in tree.get_commands()), key=_order)
    if to_people:
        english = offered_to_people(english)
    found = hashlib.sha256(json.dumps(english, sort_keys=True).encode())
    for code in (__file__, command_names.__file__, command_texts.__file__):
        found.update(hashlib.sha256(Path(code).read_bytes()).digest())
    for package in ("bot", *sorted(PACKAGES[key].resources for key in DISTRIBUTIONS if key in PACKAGES)):
        for language, folder in folders(package).items():
            for file in sorted((folder / "LC_MESSAGES").iterdir(), key=str):
                if language != DEFAULT_LANGUAGE and file.name.endswith(".po"):
                    found.update(hashlib.sha256(file.read_bytes()).digest())
    return found.hexdigest()


def languages_by_locale() -> dict[str, Translations]:
    """What is read in each of Discord's locales, except where that is English. The catalogues of all are read."""
    found = {locale: translations(locale) for locale in LOCALES}
    return {locale: each for locale, each in found.items() if each.language != DEFAULT_LANGUAGE}


async def payloads(tree: app_commands.CommandTree[Any], words: Mapping[str, Translations]) -> list[Payload]:
    """All commands, with what they are called and say in these locales."""
    made = sorted(tree.get_commands(), key=lambda command: command.name)
    payload = [await _localized(command, tree, words) for command in made]
    for kind in {each["type"] for each in payload}:
        _without_same_names([each for each in payload if each["type"] == kind])
    return [_cut(each) for each in payload]


def offered_to_people(payload: Iterable[Payload]) -> list[Payload]:
    """The commands as they are where people may install the application for themselves: those that need no server are
    then theirs in any chat."""
    bot_chat = InteractionContextType.BOT_CHAT
    return [
        {**each, "integration_types": [*InstallationType], "contexts": [*InteractionContextType]}
        if bot_chat in each["contexts"]
        else each
        for each in payload
    ]


def _order(payload: Payload) -> tuple[str, int]:
    return payload["name"], payload["type"]


class _Texts(app_commands.Translator):
    """Has the library tell each text of a command, and puts its number into the payload in place of a translation."""

    def __init__(self) -> None:
        self._found: list[app_commands.locale_str] = []

    async def translate(
        self, string: app_commands.locale_str, locale: Locale, context: app_commands.TranslationContextTypes
    ) -> str | None:
        del context
        if locale is not Locale.american_english:
            return None
        self._found.append(string)
        return str(len(self._found) - 1)

    def taken_out(self, payload: Payload, field: str) -> app_commands.locale_str | None:
        """The text with this field of a payload, which has no number any more."""
        number: str | None = (payload.pop(field, None) or {}).get(Locale.american_english.value)
        return None if number is None else self._found[int(number)]


async def _localized(command: Command, tree: app_commands.CommandTree[Any], words: _Words) -> Payload:
    texts = _Texts()
    payload = await command.get_translated_payload(tree, texts)
    if isinstance(command, app_commands.ContextMenu):
        return {**payload, **_said(_NAMES, texts.taken_out(payload, _NAMES), words, LONGEST_NAME)}
    return _with_options(payload, texts, words, command.name if command.name in DISTRIBUTIONS else "")


def _with_options(payload: Payload, texts: _Texts, words: _Words, game: str) -> Payload:
    texts.taken_out(payload, _NAMES)
    about = texts.taken_out(payload, _DESCRIPTIONS)
    made = {**payload, **_names(payload["name"], words, game), **_said(_DESCRIPTIONS, about, words)}
    if "options" in payload:
        made["options"] = [_with_options(each, texts, words, game) for each in payload["options"]]
        _without_same_names(made["options"])
    if "choices" in payload:
        shown = [(each, texts.taken_out(each, _NAMES)) for each in payload["choices"]]
        made["choices"] = [{**each, **_said(_NAMES, text, words, LONGEST_CHOICE)} for each, text in shown]
        _without_same_names(made["choices"])
    return made


def _names(name: str, words: _Words, game: str) -> Payload:
    found = {locale: command_names.name_in(each, name, game) for locale, each in words.items()}
    kept = {locale: called for locale, called in found.items() if called != name}
    return {_NAMES: kept} if kept else {}


def _said(
    field: str, text: app_commands.locale_str | None, words: _Words, longest: int = LONGEST_DESCRIPTION
) -> Payload:
    found = {locale: command_texts.said(text, each) for locale, each in words.items()}
    kept = {locale: made for locale, made in found.items() if made and made != str(text) and len(made) <= longest}
    return {field: kept} if kept else {}


def _without_same_names(siblings: Iterable[Payload]) -> None:
    """Take away the names, in a language, that several of these would have."""
    siblings = list(siblings)
    for locale in {locale for each in siblings for locale in each.get(_NAMES, ())}:
        names = [_called(each, locale) for each in siblings]
        while len({*names}) < len(names):
            called = Counter(names)
            for each, name in zip(siblings, names, strict=True):
                if called[name] > 1:
                    each.get(_NAMES, {}).pop(locale, None)
            again = [_called(each, locale) for each in siblings]
            if again == names:  # they have the same English name, which is not for here
                break
            names = again


def _called(payload: Payload, locale: str) -> str:
    return str(payload.get(_NAMES, {}).get(locale, payload["name"]))


def _cut(payload: Payload) -> Payload:
    """The command without its longest languages, until it is short enough."""
    left = set(LOCALES)
    while left and characters(payload) > MOST_CHARACTERS:
        longest = max(sorted(left), key=lambda locale: characters(payload, locale))
        left.discard(longest)
        payload = _without(payload, longest)
    return payload


def characters(payload: Payload, locale: str | None = None) -> int:
    """What Discord counts of a command: with the longest of each text's languages, or as it is in one of them."""
    total = len(str(payload.get("value", "")))
    for key, localized in (("name", _NAMES), ("description", _DESCRIPTIONS)):
        texts: dict[str, str] = payload.get(localized, {})
        english = str(payload.get(key, ""))
        shown = [texts.get(locale, english)] if locale is not None else [english, *texts.values()]
        total += max(len(text) for text in shown)
    inner = (*payload.get("options", ()), *payload.get("choices", ()))
    return total + sum(characters(each, locale) for each in inner)


def _without(payload: Payload, locale: str) -> Payload:
    made = dict(payload)
    for key in (_NAMES, _DESCRIPTIONS):
        if key in made:
            made[key] = {each: text for each, text in made[key].items() if each != locale}
    for key in ("options", "choices"):
        if key in made:
            made[key] = [_without(each, locale) for each in made[key]]
    return made
