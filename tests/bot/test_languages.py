"""Which language somebody reads: Discord's locales, mapped to the catalogues that there are."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from babel import Locale

from bot.languages import BESIDE, LOCALES, NAMES, language_for, language_named, languages

EVERY = ("ar", "de", "en", "es", "es_419", "fr", "he", "ja", "no", "pt", "pt_BR", "sv", "zh", "zh_TW")
"""A folder of catalogues with all that could be mixed up."""


@pytest.mark.skipif("DISCORD_OPENAPI" not in os.environ, reason="DISCORD_OPENAPI names no file")
def test_the_locales_are_those_of_discords_description() -> None:
    described = json.loads(Path(os.environ["DISCORD_OPENAPI"]).read_text("utf-8"))
    found = [each["const"] for each in described["components"]["schemas"]["AvailableLocalesEnum"]["oneOf"]]
    assert list(LOCALES) == sorted(found)


def test_every_locale_is_read_in_a_language_of_its_own_name_where_there_is_one() -> None:
    among = [language_named(locale) for locale in LOCALES]
    assert [language_for(locale, among) for locale in LOCALES] == among


@pytest.mark.parametrize(
    ("locale", "language"),
    [
        ("en-US", "en"),
        ("en-GB", "en"),
        ("es-ES", "es"),
        ("es-419", "es_419"),
        ("pt-BR", "pt_BR"),
        ("pt-PT", "pt"),
        ("zh-CN", "zh"),
        ("zh-TW", "zh_TW"),
        ("zh-HK", "zh_TW"),
        ("sv-SE", "sv"),
        ("de-AT", "de"),
        ("ar", "ar"),
        ("he", "he"),
        ("PT_br", "pt_BR"),
        ("fi", None),
        ("tlh", None),
        ("", None),
        ("../en", None),
        ("en-US-posix", None),
    ],
)
def test_a_locale_is_read_in_the_nearest_language(locale: str, language: str | None) -> None:
    assert language_for(locale, EVERY) == language


@pytest.mark.parametrize(
    ("locale", "among", "language"),
    [
        ("es-419", ("en", "es"), "es"),
        ("es-ES", ("en", "es_419"), "es_419"),
        ("pt-BR", ("en", "pt"), "pt"),
        ("pt-BR", ("en", "pt_PT"), "pt_PT"),
        ("zh-TW", ("en", "zh_CN"), None),
        ("zh-TW", ("en", "zh"), None),
        ("zh-CN", ("en", "zh_TW"), None),
        ("zh-CN", ("en", "zh_Hans"), "zh_Hans"),
        ("zh-TW", ("en", "zh_Hant"), "zh_Hant"),
        ("no", ("en", "nb_NO"), "nb_NO"),
        ("de", ("en", "de_DE"), "de_DE"),
        ("en-GB", ("en", "en_US"), "en"),
    ],
)
def test_what_is_near_depends_on_what_there_is(locale: str, among: tuple[str, ...], language: str | None) -> None:
    assert language_for(locale, among) == language


def test_each_language_is_called_as_it_calls_itself() -> None:
    """CLDR's name; of the two Chinese, a shorter one that is common."""
    found = {each: name for each, name in NAMES.items() if not each.startswith("zh")}
    assert {each: Locale.parse(each).get_display_name(each) for each in found} == {
        each: name if name == Locale.parse(each).get_display_name(each) else name[0].lower() + name[1:]
        for each, name in found.items()
    }
    assert {language_for(locale, NAMES) for locale in LOCALES} - {None} <= set(NAMES)
    assert all(language_for(locale, NAMES) for locale in LOCALES)


def test_what_stands_beside_is_named_as_gettext_does() -> None:
    for language, others in BESIDE.items():
        assert [language, *others] == [language_named(each) for each in (language, *others)]


def test_only_a_folder_that_names_a_language_is_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("de", "pt-BR", "pt_BR", "es-419", "zh-hant", "__pycache__", "Deutsch", ".git"):
        (tmp_path / "locale" / name).mkdir(parents=True)
    monkeypatch.setattr("bot.languages.files", lambda _: tmp_path)
    assert languages() == ("de", "es_419", "pt_BR", "zh_Hant")
