"""Begins a language, or brings one up to date: ``make language CODE=it``.

A new catalogue has every sentence of the English one, in the same order and without a translation, each below a comment
with the English. An existing one keeps what it says: new sentences come to their places, and those that English no
longer has are taken out. It is a PO file as Weblate reads a monolingual one: keys, and English as the base language.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from babel.messages.plurals import get_plural

from bot.languages import DEFAULT_LANGUAGE, LOCALES, folders, language_for, language_named, languages, name_of
from bot.ui.catalogue import Sentences, alike, catalogue
from engines import GAMES

ROOT: Final = Path(__file__).parents[1]
LOCALE: Final = ROOT / "bot" / "locale"
RULES: Final = ROOT / "docs" / "rules"
FILE: Final = Path("LC_MESSAGES", "cardroom.po")

HEADER: Final = """\
# {name}. docs/translating.md says how. Begin with your glossary here: match, table, hand, turn, clock, deal …
msgid ""
msgstr ""
"Project-Id-Version: cardroom\\n"
"Language: {language}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Plural-Forms: nplurals={forms}; plural={rule};\\n"
"""

_KEY: Final = re.compile(r'^msgid "(.*)"$', re.MULTILINE)
_TEXT: Final = re.compile(r'^msgstr(?:\[(\d+)\])? ((?:".*"\s*)+)', re.MULTILINE)


class Refused(Exception):  # noqa: N818  says what was asked
    """There can be no such language; the text says why."""


class Share(NamedTuple):
    """How many of all sentences a language has, and for how many of all games it has a rules page."""

    sentences: int
    of: int
    rules: int

    @property
    def percent(self) -> int:
        """In whole percents; 100 only if nothing is missing."""
        return self.sentences * 100 // self.of


def share(language: str) -> Share:
    """How much of a language is done. Raises what a broken catalogue raises."""
    english, own = Sentences(catalogue(DEFAULT_LANGUAGE)).forms, Sentences(catalogue(language)).forms
    done = sum(key in own and alike(own[key], forms) for key, forms in english.items())
    mark = "" if language == DEFAULT_LANGUAGE else f".{language}"
    return Share(done, len(english), sum((RULES / f"{game}{mark}.md").exists() for game in GAMES))


def language_of(code: str) -> str:
    """The language that a code names. Raises Refused for English, and for one in which nobody's Discord can be."""
    language = language_named(code)
    if language == DEFAULT_LANGUAGE:
        raise Refused("English is there already")
    if not any(language_for(locale, [language]) for locale in LOCALES if language):
        raise Refused(f"{code} is none of Discord's languages, so nobody would read it: {', '.join(LOCALES)}")
    return language


def written(language: str, english: str, former: str = "") -> str:
    """A language's catalogue, made from the texts of the English one and of the one that it had."""
    header, *blocks = _blocks(former) if former else [_header(language)]
    had = {found[1]: block for block in blocks if (found := _KEY.search(block))}
    _, *others = _blocks(english)
    forms = get_plural(language).num_plurals
    made = (had.get(key) or _unfinished(key, block, forms) for key, block in _keyed(others))
    return "\n\n".join([header, *made]) + "\n"


def _blocks(text: str) -> list[str]:
    return re.split(r"\n{2,}", text.strip())


def _keyed(blocks: Sequence[str]) -> Iterator[tuple[str, str]]:
    for block in blocks:
        if found := _KEY.search(block):
            yield found[1], block


def _header(language: str) -> str:
    plural = get_plural(language)
    return HEADER.format(
        name=name_of(language), language=language, forms=plural.num_plurals, rule=plural.plural_expr
    ).strip()


def _unfinished(key: str, english: str, forms: int) -> str:
    """A sentence without a translation, below a comment with each form of the English one."""
    texts = [(number, "".join(re.findall(r'"(.*)"', text))) for number, text in _TEXT.findall(english)]
    about = [f"#. {text}" for _, text in texts]
    if not texts[0][0]:
        return "\n".join([*about, f'msgid "{key}"', 'msgstr ""'])
    empty = [f'msgstr[{number}] ""' for number in range(forms)]
    return "\n".join([*about, f'msgid "{key}"', f'msgid_plural "{key}"', *empty])


def file_of(language: str) -> Path:
    """The file of a language, which may have a folder with Discord's name."""
    folder = folders().get(language)
    return (LOCALE / (language if folder is None else folder.name)) / FILE


def main(argv: Sequence[str] | None = None) -> None:
    """Write a language's catalogue, and say how much of it is done."""
    parser = argparse.ArgumentParser(prog="python -m tools.language", description=__doc__)
    parser.add_argument("code", help="such as it or pt_BR")
    try:
        language = language_of(parser.parse_args(argv).code)
    except Refused as refused:
        parser.error(str(refused))
    file, english = file_of(language), (LOCALE / DEFAULT_LANGUAGE / FILE).read_text("utf-8")
    is_new = language not in languages()
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(written(language, english, "" if is_new else file.read_text("utf-8")), "utf-8")
    done = share(language)
    print(f"{file.relative_to(ROOT)}: {done.sentences:,} of {done.of:,} sentences, {done.percent} %")


if __name__ == "__main__":
    main()
