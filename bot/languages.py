"""The languages that there are catalogues of, and which of them somebody reads whose Discord is in a locale.

There is one catalogue for each: `bot/locale/<language>/LC_MESSAGES/cardroom.po`. A game from another package has such a
folder as well, in the package that holds its resources. A language is named as gettext and Babel do: `de`, `pt_BR`.
Who begins one may take Discord's name, `pt-BR`, instead.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import MappingProxyType
from typing import Final

from babel import negotiate_locale

DEFAULT_LANGUAGE: Final = "en"

WHOLE: Final = ("en", "de", "fr", "es", "pt_BR", "ja")
"""The languages that have every sentence, as far as there is a catalogue (`tests/project/test_catalogue.py`). If
you change an English sentence, change it in these, too. All others may lack any number."""

NAMES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "ar": "العربية",
        "bg": "Български",
        "cs": "Čeština",
        "da": "Dansk",
        "de": "Deutsch",
        "el": "Ελληνικά",
        "en": "English",
        "en_GB": "English (United Kingdom)",
        "es": "Español",
        "es_419": "Español (Latinoamérica)",
        "fi": "Suomi",
        "fr": "Français",
        "he": "עברית",
        "hi": "हिन्दी",
        "hr": "Hrvatski",
        "hu": "Magyar",
        "id": "Indonesia",
        "it": "Italiano",
        "ja": "日本語",
        "ko": "한국어",
        "lt": "Lietuvių",
        "nl": "Nederlands",
        "no": "Norsk",
        "pl": "Polski",
        "pt": "Português",
        "pt_BR": "Português (Brasil)",
        "ro": "Română",
        "ru": "Русский",
        "sv": "Svenska",
        "th": "ไทย",
        "tr": "Türkçe",
        "uk": "Українська",
        "vi": "Tiếng Việt",
        "zh_CN": "简体中文",
        "zh_TW": "繁體中文",
    }
)
"""What each language calls itself (CLDR), as it is offered to people."""

LOCALES: Final = (
    *("ar", "bg", "cs", "da", "de", "el", "en-GB", "en-US", "es-419", "es-ES", "fi", "fr"),
    *("he", "hi", "hr", "hu", "id", "it", "ja", "ko", "lt", "nl", "no", "pl", "pt-BR"),
    *("ro", "ru", "sv-SE", "th", "tr", "uk", "vi", "zh-CN", "zh-TW"),
)
"""Discord's locales, by its own description (`AvailableLocalesEnum` in https://github.com/discord/discord-api-spec).
The library (2.7) knows no `ar` and no `he`. One that is not here is read all the same."""

BESIDE: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "en_GB": ("en", "en_US"),
        "es_419": ("es", "es_MX", "es_ES"),
        "es_ES": ("es", "es_419"),
        "pt_BR": ("pt", "pt_PT"),
        "zh_CN": ("zh_Hans", "zh_Hans_CN", "zh", "zh_SG"),
        "zh_HK": ("zh_Hant", "zh_Hant_HK", "zh_TW", "zh_Hant_TW"),
        "zh_TW": ("zh_Hant", "zh_Hant_TW", "zh_HK", "zh_Hant_HK"),
    }
)
"""What somebody reads, best first, who has none in their own locale, where Babel would do worse. It cuts the country
off: who writes traditional Chinese would get `zh`, which is simplified, and a Brazilian nothing where there is `pt_PT`.
For all other locales there is Babel's negotiation."""

_NAME: Final = re.compile(r"([A-Za-z]{2,3})(?:[-_]([A-Za-z]{4}))?(?:[-_]([A-Za-z]{2}|[0-9]{3}))?")


@lru_cache(maxsize=128)
def language_named(name: str) -> str:
    """A language or locale as gettext names it: "pt_BR" for "pt-BR"; empty for what names none."""
    found = _NAME.fullmatch(name)
    if found is None:
        return ""
    language, script, country = found.groups()
    return "_".join(filter(None, (language.lower(), script and script.title(), country and country.upper())))


def name_of(language: str) -> str:
    """What a language calls itself; its code if that is not known."""
    return NAMES.get(language, language)


def tag(language: str) -> str:
    """A language as web pages and Discord name it: "pt-BR" for "pt_BR" (BCP 47)."""
    return language.replace("_", "-")


def folders(package: str = "bot") -> dict[str, Traversable]:
    """The folders with a package's catalogues by language, in alphabetical order; none without one.

    Without an argument: those that Cardroom ships. Where a language has two folders, gettext's name counts.
    """
    root = files(package) / "locale"
    entries = sorted((entry for entry in root.iterdir() if entry.is_dir()), key=_name) if root.is_dir() else []
    named = {language_named(entry.name): entry for entry in entries}
    named |= {entry.name: entry for entry in entries if entry.name in named}
    return {language: named[language] for language in sorted(named) if language}


def _name(entry: Traversable) -> str:
    return entry.name


def languages(package: str = "bot") -> tuple[str, ...]:
    """The languages that a package ships, in alphabetical order; none without a folder `locale`.

    Without an argument: those that Cardroom ships.
    """
    return tuple(folders(package))


def language_for(locale: str, among: Collection[str]) -> str | None:
    """Which of these languages somebody reads whose Discord is in this locale; None if none fits.

    Any text may be asked for.
    """
    wanted = language_named(locale)
    for each in (wanted, *BESIDE.get(wanted, ())):
        if each in among:
            return each
    return None if wanted in BESIDE else negotiate_locale([wanted], among)
