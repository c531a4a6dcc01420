"""What every catalogue keeps, beside keys and placeholders (`tests/project/test_catalogue.py`): it is in its language,
and its marks are those of the English."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator
from functools import cache
from typing import Final

import pytest

from bot.languages import DEFAULT_LANGUAGE, WHOLE, languages
from bot.ui.catalogue import Forms, Sentences, catalogue
from bot.ui.text_lines import width
from cogs.screens.renderer import LONGEST_OPTION
from tests.languages.made_up import KEPT, LONGER_BY, MADE_UP, NAMES, longer, made_up_catalogue, mirrored

OTHERS: Final = tuple(each for each in languages() if each != DEFAULT_LANGUAGE)
EVERYWHERE: Final = frozenset({"cardroom", "utc", "tim", "ada"})
"""Names, which are the same in every language."""
LOANS: Final[dict[str, frozenset[str]]] = {
    "de": frozenset({"replay", "normal", "computer", "code", "thread", "start", "emojis", "text", "seed", "pause"})
    | {"division", "winner", "chicken", "dinner", "buchholz", "berger", "sonneborn"},
    "es": frozenset({"vs", "casual", "normal", "emojis", "buchholz", "berger", "sonneborn"}),
    "fr": frozenset({"vs", "replay", "joker", "minute", "minutes", "normal", "place", "point", "points", "code"})
    | {"mention", "format", "pause", "division", "buchholz", "berger", "sonneborn"},
    "ja": frozenset({"vs"}),
    "pt_BR": frozenset({"casual", "normal", "rating", "replay", "emojis", "buchholz", "berger", "sonneborn"}),
}
"""Words that a language has from English, or has in common with it. A sentence of these alone may be as in English."""
MARKS: Final = ("**", "`", "\n", "-# ", "__", "~~")
DESCRIBES: Final = re.compile(r"_note$|\.option\.")
"""The keys of what is written below the lines of lists."""
WIDEST_NAME: Final = 12.5
"""Of an option, in ems: the face of a list has about 16 on a phone, and behind the name is the value."""
_WORD: Final = re.compile(r"[^\W\d_]{2,}")


@cache
def sentences(language: str) -> dict[str, Forms]:
    """All sentences of a language by key."""
    return Sentences(catalogue(language)).forms


def forms_of(sentence: Forms) -> tuple[str, ...]:
    return (sentence,) if isinstance(sentence, str) else sentence


def words_in(sentence: Forms) -> set[str]:
    """The words of a sentence, in small letters, without what every language keeps."""
    plain = " ".join(KEPT.sub(" ", form) for form in forms_of(sentence))
    return {word.lower() for word in _WORD.findall(plain)}


def as_in_english(language: str) -> Iterator[tuple[str, set[str]]]:
    """The keys of sentences with words that are letter by letter the English ones, and these words."""
    english = sentences(DEFAULT_LANGUAGE)
    for key, sentence in sentences(language).items():
        if sentence == english.get(key) and (words := words_in(sentence)):
            yield key, words - EVERYWHERE


@pytest.mark.parametrize("language", [each for each in OTHERS if each in WHOLE])
def test_no_english_is_left_in_a_whole_language(language: str) -> None:
    left = dict(as_in_english(language))
    loans = LOANS.get(language, frozenset())
    assert {key: words - loans for key, words in left.items() if words - loans} == {}
    assert loans - set().union(*left.values()) == set(), "no sentence needs these any more"


@pytest.mark.parametrize("language", OTHERS)
def test_marks_are_those_of_the_english(language: str) -> None:
    english = sentences(DEFAULT_LANGUAGE)
    for key, sentence in sentences(language).items():
        for mark in MARKS:
            meant = {form.count(mark) for form in forms_of(english[key])}
            assert {form.count(mark) for form in forms_of(sentence)} <= meant, (key, mark)


@pytest.mark.parametrize("language", OTHERS)
def test_no_sentence_begins_or_ends_with_a_space_where_the_english_does_not(language: str) -> None:
    english = sentences(DEFAULT_LANGUAGE)
    spaced = {key for key, each in english.items() if any(form != form.strip() for form in forms_of(each))}
    other = {key for key, each in sentences(language).items() if any(form != form.strip() for form in forms_of(each))}
    assert other <= spaced


@pytest.mark.parametrize("language", languages())
def test_what_describes_a_line_of_a_list_is_whole(language: str) -> None:
    described = {key: each for key, each in sentences(language).items() if DESCRIBES.search(key)}
    assert len(described) > 10 or language not in WHOLE
    long = {key: form for key, each in described.items() for form in forms_of(each) if len(form) >= LONGEST_OPTION}
    assert long == {}


@pytest.mark.parametrize("language", languages())
def test_the_name_of_an_option_leaves_room_for_its_value_on_a_phone(language: str) -> None:
    names = {key: each for key, each in sentences(language).items() if re.fullmatch(r"\w+\.name\.\w+", key)}
    assert {key: each for key, each in names.items() if isinstance(each, str) and width(each) > WIDEST_NAME} == {}


# ---------------------------------------------------------------------------------------------- those that are made up


def fields(text: str) -> list[str]:
    return sorted(field for _, field, _, _ in string.Formatter().parse(text) if field is not None)


@pytest.mark.parametrize("change", [longer, mirrored])
def test_a_made_up_sentence_keeps_placeholders_marks_escapes_and_commands(change: type[str]) -> None:
    for sentence in sentences(DEFAULT_LANGUAGE).values():
        for form in forms_of(sentence):
            made = change(form)
            assert fields(made) == fields(form)
            assert KEPT.findall(made) == KEPT.findall(form)
            assert [made.count(mark) for mark in MARKS] == [form.count(mark) for mark in MARKS]
            assert not words_in(made) & words_in(form) or not re.search("[aceinouy]", form)


def test_the_longer_language_is_longer() -> None:
    texts = [form for each in sentences(DEFAULT_LANGUAGE).values() for form in forms_of(each)]
    letters = [sum(map(len, _WORD.findall(KEPT.sub(" ", text)))) for text in texts]
    made = [sum(map(len, _WORD.findall(KEPT.sub(" ", longer(text))))) for text in texts]
    assert sum(made) == pytest.approx((1 + LONGER_BY) * sum(letters), rel=0.02)


@pytest.mark.parametrize("language", MADE_UP)
def test_a_made_up_language_is_whole_and_names_commands_as_english_does(language: str) -> None:
    made, english = Sentences(made_up_catalogue(language)).forms, sentences(DEFAULT_LANGUAGE)
    assert made.keys() == english.keys()
    assert all(made[key] == english[key] for key in english if key.startswith(NAMES))
