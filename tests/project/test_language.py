"""`make language`: what it begins is a catalogue that the bot reads, and what somebody has translated stays."""

from __future__ import annotations

from io import StringIO

import pytest
from babel.messages.catalog import Catalog
from babel.messages.plurals import get_plural
from babel.messages.pofile import read_po

from bot.languages import DEFAULT_LANGUAGE, LOCALES, languages
from bot.ui.catalogue import Sentences, keys
from tools.language import FILE, LOCALE, Refused, language_of, share, written

ENGLISH = (LOCALE / DEFAULT_LANGUAGE / FILE).read_text("utf-8")


def read(language: str, text: str) -> Catalog:
    return read_po(StringIO(text), locale=language, abort_invalid=True)


@pytest.mark.parametrize("language", ["it", "pl", "ar", "zh_TW", "ko"])
def test_a_new_language_has_every_key_its_plural_forms_and_no_sentence(language: str) -> None:
    made = read(language, written(language, ENGLISH))
    assert keys(made) == keys(read("en", ENGLISH))
    assert (made.num_plurals, made.plural_expr) == get_plural(language)[:2]
    assert Sentences(made).forms == {}
    assert {len(message.string or ()) for message in made if isinstance(message.id, tuple)} == {made.num_plurals}


def test_the_english_is_in_a_comment_above_each_key() -> None:
    text = written("it", ENGLISH)
    assert '\n\n#. Accept\nmsgid "button.accept"\nmsgstr ""\n\n' in text
    plural = '#. {n} minute\n#. {n} minutes\nmsgid "clock.minutes"\nmsgid_plural "clock.minutes"\nmsgstr[0] ""\n'
    assert plural in text


def test_what_is_translated_stays_as_it_is_and_what_english_lacks_goes() -> None:
    begun = written("it", ENGLISH).replace(
        'msgid "button.accept"\nmsgstr ""', 'msgid "button.accept"\nmsgstr "Accetta"'
    )
    without = begun.replace('#. Add a salt\nmsgid "button.salt"\nmsgstr ""\n\n', "")
    assert without != begun
    former = without + '\nmsgid "no.such.key"\nmsgstr "Niente"\n'
    assert written("it", ENGLISH, former) == begun


@pytest.mark.parametrize("language", [each for each in languages() if each != DEFAULT_LANGUAGE])
def test_what_is_shipped_stays_as_it_is(language: str) -> None:
    """So nobody needs a file to be written by hand that `make language` would write in another way."""
    text = (LOCALE / language / FILE).read_text("utf-8")
    assert Sentences(read(language, written(language, ENGLISH, text))).forms == Sentences(read(language, text)).forms


@pytest.mark.parametrize("code", ["en", "xx", "tlh", "", "../de", "Italian"])
def test_there_is_no_language_that_nobody_would_read(code: str) -> None:
    with pytest.raises(Refused):
        language_of(code)


def test_each_of_discords_languages_can_be_begun() -> None:
    begun = {language_of(locale) for locale in LOCALES if not locale.startswith("en")}
    assert {"it", "pt_BR", "zh_TW", "ar", "es_419"} <= begun


def test_english_is_whole() -> None:
    done = share(DEFAULT_LANGUAGE)
    assert (done.sentences, done.percent) == (done.of, 100)
