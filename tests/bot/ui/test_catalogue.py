"""Catalogues of any kind: a whole one, one of nine messages, and broken ones, none of which stops the bot."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog

from bot.languages import LOCALES
from bot.ops.metrics import Metrics
from bot.ui.catalogue import Translations, UnknownSentence, forget, lacking, of_package, translations
from tests.shipped_languages import po, ship

NINE = {
    "board.title": "{game}: {players} (BR)",
    "board.versus": " contra ",
    "button.table": "Mostrar a mesa",
    "button.accept": "Aceitar",
}
Shipping = Callable[..., None]


@pytest.fixture
def shipping(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Shipping]:
    yield partial(ship, tmp_path, monkeypatch)
    monkeypatch.undo()
    forget()


def test_a_folder_with_discords_name_is_read_as_one_with_gettexts(shipping: Shipping) -> None:
    shipping({"pt-BR": po("pt_BR", NINE)})
    say = translations("pt-BR")
    assert (say.language, say.tag) == ("pt_BR", "pt-BR")
    assert say("button.accept") == "Aceitar"
    assert say("board.title", game="CIQ", players="A") == "CIQ: A (BR)"
    assert translations("pt_BR") is say
    assert translations("pt-PT").language == "en"


def test_any_locale_is_read_in_some_language(shipping: Shipping) -> None:
    shipping({"pt-BR": po("pt_BR", NINE)})
    assert {translations(locale).language for locale in (*LOCALES, "", "tlh", "../de", "xx-YY")} == {"en", "pt_BR"}


def test_a_sentence_that_is_missing_is_english_and_counted_once(shipping: Shipping) -> None:
    shipping({"de": po("de", NINE | {"button.salt": "", "clock.minutes": ("", "")})})
    german, english = translations("de"), translations("en")
    assert german("button.accept") == "Aceitar"
    assert lacking() == {}
    assert german("button.salt") == german("button.salt") == english("button.salt")
    assert german("board.clock", clock="2") == english("board.clock", clock="2")
    assert lacking() == {"de": 2}
    with pytest.raises(UnknownSentence):
        german("no.such.key")
    with pytest.raises(UnknownSentence):
        german.count("no.such.key", 1)
    with pytest.raises(UnknownSentence):
        german.count("button.accept", 1)


def test_what_is_missing_is_a_metric(shipping: Shipping) -> None:
    shipping({"de": po("de", NINE)})
    translations("de")("button.salt")
    assert b'cardroom_sentences_lacking{language="de"} 1.0' in Metrics().text(0)


def test_a_language_may_not_add_a_sentence_that_english_lacks(shipping: Shipping) -> None:
    shipping({"de": po("de", {"no.such.key": "Nein"})})
    with pytest.raises(UnknownSentence):
        translations("de")("no.such.key")


def test_plural_forms_are_those_of_the_language_and_english_where_they_are_missing(shipping: Shipping) -> None:
    key = "clock.minutes"
    shipping({"pl": po("pl", {key: ("{n} minuta", "{n} minuty", "{n} minut")}), "ja": po("ja", {key: ("{n}分",)})})
    assert [translations("pl").count(key, n) for n in (1, 2, 5, 22)] == ["1 minuta", "2 minuty", "5 minut", "22 minuty"]
    assert [translations("ja").count(key, n) for n in (1, 2)] == ["1分", "2分"]
    for n in (1, 2, 5):
        assert translations("ja").count("clock.days", n) == translations("en").count("clock.days", n)


@pytest.mark.parametrize(
    "wrong",
    [
        "Uhr: {zeit}",
        "Uhr",
        "Uhr: {clock} {mehr}",
        "Uhr: {clock",
        "Uhr: {clock.__class__}",
        "Uhr: {clock!r}",
        "Uhr: {clock:d}",
        "Uhr: {}",
    ],
)
def test_a_sentence_with_other_placeholders_is_english_and_said_once(
    shipping: Shipping, caplog: pytest.LogCaptureFixture, wrong: str
) -> None:
    shipping({"de": po("de", {"board.clock": wrong, "button.accept": "Annehmen"})})
    german, english = translations("de"), translations("en")
    assert {german("board.clock", clock="2") for _ in range(3)} == {english("board.clock", clock="2")}
    assert german("button.accept") == "Annehmen"
    assert [record.getMessage().split(":")[0] for record in caplog.records] == ["board.clock is English in de"]


def test_a_sentence_marked_as_fuzzy_is_not_finished(shipping: Shipping) -> None:
    shipping({"de": po("de", NINE).replace('msgid "button.accept"', '#, fuzzy\nmsgid "button.accept"')})
    assert translations("de")("button.accept") == translations("en")("button.accept")


BROKEN: dict[str, bytes | str] = {
    "no catalogue at all": "Guten Tag",
    "a quote is missing": po("de", NINE).replace('"Aceitar"', '"Aceitar'),
    "another word": po("de", NINE).replace('msgstr "Aceitar"', 'msgtsr "Aceitar"'),
    "another encoding": po("de", {"button.accept": "Bestätigen"}).encode("latin-1"),
    "UTF-16": po("de", NINE).encode("utf-16"),
    "no translation": po("de", NINE) + 'msgid "button.decline"\n',
    "too many forms": po("de", {"clock.minutes": ("a {n}", "b {n}", "c {n}")}),
    "no rule of plurals": po("de", NINE, "nplurals=2; plural=(n !="),
    "a rule in words": po("de", NINE, "nplurals=2; plural=(one or many)"),
    "no number of forms": po("de", NINE, "nplurals=many; plural=n != 1"),
    "fewer forms than its rule": po("de", NINE, "nplurals=1; plural=n != 1"),
    "a rule that fails": po("de", NINE, "nplurals=2; plural=n % 0"),
    "nothing but zeros": bytes(100),
}


@pytest.mark.parametrize("content", BROKEN.values(), ids=BROKEN)
def test_a_broken_catalogue_is_left_out_with_one_line(
    shipping: Shipping, caplog: pytest.LogCaptureFixture, content: bytes | str
) -> None:
    shipping({"de": content, "fr": po("fr", NINE)})
    assert translations("de") is translations("de-AT") is translations("en")
    assert translations("fr")("button.accept") == "Aceitar"
    (record,) = [record for record in caplog.records if record.levelno >= logging.WARNING]
    assert record.getMessage().startswith("the catalogue in de is left out")
    assert "\n" not in record.getMessage()


def test_a_folder_without_a_file_is_left_out(
    shipping: Shipping, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    shipping({})
    (tmp_path / "locale" / "de").mkdir()
    assert translations("de").language == "en"
    assert "FileNotFoundError" in caplog.text


def test_where_the_nearest_is_broken_the_next_is_read(shipping: Shipping) -> None:
    shipping({"es_419": "Hola", "es": po("es", NINE)})
    assert translations("es-419").language == "es"


def test_a_language_can_be_made_up_without_a_file() -> None:
    made = Catalog(locale="ar")
    made.add("button.accept", "قبول")
    say = Translations("ar", made)
    assert (say("button.accept"), say.locale.text_direction) == ("قبول", "rtl")
    assert say("button.salt") == translations("en")("button.salt")


@pytest.mark.parametrize("content", BROKEN.values(), ids=BROKEN)
def test_a_broken_catalogue_of_a_package_is_left_out_with_one_line(
    shipping: Shipping, caplog: pytest.LogCaptureFixture, content: bytes | str
) -> None:
    shipping({"de": content, "pt-BR": po("pt_BR", NINE)}, "a_package")
    sentences, english = of_package("a_package", "de")
    assert sentences is english
    assert "the catalogue of a_package in de is left out" in caplog.text
    assert len(caplog.records) == 1
    assert of_package("a_package", "pt_BR")[0].forms["button.accept"] == "Aceitar"
