"""Count the words that players read: in the catalogue, by the first part of the keys, and on each rules page.

``python -m tools.words`` prints them, most words first. Every plural form counts. A word is what stands between spaces,
so a placeholder is one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog

from bot.languages import DEFAULT_LANGUAGE
from bot.ui.catalogue import catalogue

RULES: Final = Path(__file__).parents[1] / "docs" / "rules"


def of_catalogue(sentences: Catalog) -> Counter[str]:
    """The words of a catalogue, by the first part of the keys."""
    words: Counter[str] = Counter()
    for message in sentences:
        if message.id:  # without one it is the file's own heading
            part = forms(message.id)[0].partition(".")[0]
            words[part] += sum(len(form.split()) for form in forms(message.string))
    return words


def forms(text: str | Sequence[str] | None) -> Sequence[str]:
    """What Babel gives for a key or a sentence, as a sequence: it gives one without a plural as a plain text."""
    return (text,) if isinstance(text, str) else text or ()


def of_pages(folder: Path) -> Counter[str]:
    """The words of a folder's rules pages, by game. What only the program reads, such as a page's name, counts too."""
    return Counter({page.stem: len(page.read_text(encoding="utf-8").split()) for page in folder.glob("*.md")})


def table(heading: str, words: Counter[str]) -> str:
    """The total with a heading, and below it one line per part."""
    return "\n".join(f"{number:7,}  {part}" for part, number in ((heading, words.total()), *words.most_common()))


if __name__ == "__main__":
    print(table("CATALOGUE", of_catalogue(catalogue(DEFAULT_LANGUAGE))))
    print()
    print(table("RULES PAGES", of_pages(RULES)))
