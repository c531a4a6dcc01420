"""No text that people read has a phrase that is always wrong here; `docs/style.md` says how to write instead.

Read are the sentences of the catalogue, every page, and the docstrings, comments and strings of the program.
"""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from tests.project.files import ROOT, comments, relative, strings, tracked

CATALOGUES = "*/locale/en/LC_MESSAGES/*.po"
PAGES = ("*.md", ".env.example", "Makefile", "compose.yaml")
PROGRAM = tuple(f"{folder}/*.py" for folder in ("bot", "cogs", "engines", "sandbox/src", "laws", "examples", "tools"))
STYLE = "docs/style.md"
WIDE = r"\s+"

_CODE = re.compile(r"`[^`\n]*`")
_BLOCK = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
_ROW = re.compile(r"^\| (?!---|before)(.+?) \| (.+?) \|$", re.MULTILINE)


@dataclass(frozen=True)
class Phrase:
    """A phrase that is always wrong: its pattern, what to write instead, a text that has it, and one that may stay."""

    pattern: str
    instead: str
    wrong: str
    right: str

    def found(self, text: str) -> Iterator[re.Match[str]]:
        """Where a text has the phrase, also across the end of a line."""
        return re.finditer(self.pattern.replace(" ", WIDE), text)


PHRASES = (
    Phrase(r"\bso (?:many|much)\b(?! (?:that|as)\b)", "the number", "after so many rounds", "so many that none fit"),
    Phrase(r"\bso long ago\b", "the time", "a press made so long ago", "a press made 3 seconds ago"),
    Phrase(r"\bof ours\b", "our", "a Discord of ours", "our own Discord"),
    Phrase(
        r"\b(?:an?|one|two|three|five|\d+) (?!or\b)\w+ an? (?:item|game|file|folder|row|number|language|resource)\b",
        "per",
        "prints a line an item",
        "prints one line per item",
    ),
    Phrase(
        r"\b(?:comes?|came|coming) to nothing\b", "what happened to it", "a challenge came to nothing", "nothing came"
    ),
    Phrase(r"\b(?:comes?|came|coming) of it\b", "what happened", "whatever came of it", "whatever happened"),
    Phrase(r"\bin vain\b", "without an answer, without success", "asked three times in vain", "asked three times"),
    Phrase(
        r"\b(?:is|are|was|were|be|been|being) told\b(?! apart)",
        "who tells whom what: gets a message, sees",
        "the player is told",
        "two cards are told apart",
    ),
    Phrase(
        r"\b(?:told|tells?|telling) of\b", "announce, report, mention", "the gateway tells of it", "it tells players"
    ),
    Phrase(
        r"\btells? (?:more|the rest)\b", "has more, covers the rest", "that page tells more", "it told more players"
    ),
    Phrase(
        r"\b[Hh](?:ears?|eard) (?:of|that)\b", "learn, record, be notified", "the clock hears of it", "players hear"
    ),
    Phrase(r"\b(?:is|are|was|were) to be\b", "will be, must be, should be", "the board is to be shown", "it has to be"),
    Phrase(
        r"\b(?:[Ww]hoever|[Ww]homever)\b", "the player who, if you", "Whoever leaves loses.", "If you leave you lose."
    ),
    Phrase(r"\bwhich is the most\b", "the maximum", "five tables, which is the most", "the most tables"),
    Phrase(
        r"\b(?:goes?|going|went|gone) on\b(?= (?:from|in|here|as|where|when|again|until|without|meanwhile)\b|[.,;:]|$)",
        "continue, resume",
        "The match goes on in another channel.",
        "The card goes on top.",
    ),
    Phrase(r"\b(?:match|matches|game|it) rests?\b(?! of)", "on hold, paused", "the match rests", "it rests of them"),
    Phrase(
        r", for (?:it|they|there|nobody|he|she|we|I|its|their|then|otherwise)\b",
        "because",
        "It is not shown, for it would tell too much.",
        "It was fixed, for example by hand.",
    ),
    Phrase(r"\bwritten down\b", "saved, recorded", "This could not be written down.", "This couldn't be saved."),
    Phrase(r"\b(?:[Tt]he|[Aa]|[Oo]ur) houses?\b", "the bot, the installation", "the house draws a card", "two houses"),
    Phrase(r"\bshow(?:s|n|ed)? (?:\w+ )?away\b", "kick", "the host shows somebody away", "the host kicks someone"),
    Phrase(r"\bas it comes\b", "default, unchanged", "the setting as it comes", "they are read as they come"),
    Phrase(r"\b(?:the|an) own\b", "their own, its own", "on top of the own pile", "on top of their own pile"),
    Phrase(r"\b(?:[Hh]ow|as) loud(?:ly)?\b", "the notification level", "how loud notices are", "out loud"),
    Phrase(
        r"\b(?:stands?|stood|standing) (?:in|on|at|beside|under)\b(?! for)",
        "is",
        "the seal stands on it",
        "stand in for",
    ),
    Phrase(r"\b(?:anew|afresh)\b", "again", "the board is painted anew", "the board is updated again"),
    Phrase(r"\b[Mm]end(?:s|ed|ing)?\b", "fix", "until the fault is mended", "until the error is fixed"),
    Phrase(r"\bnobody need\b", "nobody needs to", "nobody need wait", "nobody needs to wait"),
)


@dataclass(frozen=True)
class Passage:
    """A stretch of text: the file and the line where it begins."""

    file: str
    line: int
    text: str


@cache
def passages() -> tuple[Passage, ...]:
    """All text that is read by people, without code."""
    found: list[Passage] = []
    for path in tracked(CATALOGUES):
        found += _sentences(path)
    for path in tracked(*PAGES):
        found.append(Passage(relative(path), 1, _plain(_page(path))))
    for path in tracked(*PROGRAM):
        found += _of_program(path)
    return tuple(found)


def _sentences(path: Path) -> Iterator[Passage]:
    with path.open("rb") as file:
        for message in read_po(file):
            forms = [message.string] if isinstance(message.string, str) else list(message.string or ())
            yield from (Passage(relative(path), message.lineno or 1, form) for form in forms if message.id)


def _page(path: Path) -> str:
    """A page's text. Of the style guide's examples only what to write is read, not what to avoid."""
    text = path.read_text(encoding="utf-8")
    return _ROW.sub(r"| | \2 |", text) if relative(path) == STYLE else text


def _of_program(path: Path) -> Iterator[Passage]:
    """The strings of a module, docstrings among them, and its comments, one after another as one text."""
    text = path.read_text(encoding="utf-8")
    yield from (Passage(relative(path), line, _plain(words.replace(r"\n", " "))) for line, words in strings(text))
    above: tuple[int, list[str]] = (0, [])
    for line, words in comments(text):
        if line != above[0] + len(above[1]):
            yield Passage(relative(path), above[0], _plain("\n".join(above[1])))
            above = (line, [])
        above[1].append(words.lstrip("#: "))
    yield Passage(relative(path), above[0], _plain("\n".join(above[1])))


def _plain(text: str) -> str:
    """A text without its code, on as many lines."""
    return _CODE.sub("``", _BLOCK.sub(lambda block: "\n" * block[0].count("\n"), text))


@cache
def suspects() -> tuple[Passage, ...]:
    """The passages that have any of the phrases, found in one reading."""
    whatever = re.compile("|".join(f"(?:{phrase.pattern.replace(' ', WIDE)})" for phrase in PHRASES))
    return tuple(passage for passage in passages() if whatever.search(passage.text))


def findings(phrase: Phrase) -> Iterator[str]:
    """Where a phrase is found: the file, the line and the words around it."""
    for passage in suspects():
        for match in phrase.found(passage.text):
            line = passage.line + passage.text.count("\n", 0, match.start())
            around = " ".join(passage.text[max(0, match.start() - 40) : match.end() + 30].split())
            yield f"{passage.file}:{line}: …{around}… (instead: {phrase.instead})"


def test_no_text_has_a_phrase_that_is_always_wrong() -> None:
    """One test for all phrases: each process that looked for one would read everything again."""
    found = [finding for phrase in PHRASES for finding in findings(phrase)]
    assert found == [], "\n".join(found)


@pytest.mark.parametrize("phrase", PHRASES, ids=lambda phrase: phrase.wrong)
def test_every_phrase_is_found_in_its_example_and_only_there(phrase: Phrase) -> None:
    assert [*phrase.found(phrase.wrong)] != []
    assert [*phrase.found(phrase.wrong.replace(" ", "\n    "))] != []
    assert [*phrase.found(phrase.right)] == []


def test_the_style_guide_holds_its_own_examples() -> None:
    rows = _ROW.findall((ROOT / STYLE).read_text(encoding="utf-8"))
    assert len(rows) >= 10
    for before, after in rows:
        assert any([*phrase.found(before)] for phrase in PHRASES), before
        assert not any([*phrase.found(after)] for phrase in PHRASES), after


def test_strings_and_comments_are_those_that_python_finds() -> None:
    program = 'a = "#1"  # one\nb = """\n# 2 \\""" # 2\n"""  # three\nc = \'\\\'#\' r"\\"" ""  # four\n#: five\n'
    found = [each for each in tokenize.generate_tokens(io.StringIO(program).readline) if each.type == tokenize.COMMENT]
    assert [*comments(program)] == [(each.start[0], each.string[1:]) for each in found]
    assert len(found) == 4
    assert [*strings('a("b", f"c {d} "\n  "e")\n"""f\n"""')][1:] == [(1, "b"), (1, "c {d} e"), (3, "f\n")]
