"""Ships languages in a test: a folder of catalogues beside our English, as if it had been in `bot/locale`."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources
from importlib.resources.abc import Traversable
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po

import bot
import bot.languages
from bot.ui import catalogue

forget = catalogue.forget
"""Forgets what was loaded of all languages."""

HEADER = 'msgid ""\nmsgstr ""\n"Language: {language}\\n"\n"Content-Type: text/plain; charset=utf-8\\n"\n{plural}\n'


def ship(
    folder: Path, monkeypatch: pytest.MonkeyPatch, written: Mapping[str, bytes | str | Catalog], package: str = "bot"
) -> None:
    """Ship these catalogues, by the name of their folder, instead of all but English. What was loaded is forgotten now,
    and by `forget` when the test ends."""
    locale = folder / "locale"
    locale.mkdir()
    (locale / "en").symlink_to(Path(bot.__file__).parent / "locale" / "en")
    for name, content in written.items():
        file = locale / name / "LC_MESSAGES" / "cardroom.po"
        file.parent.mkdir(parents=True)
        file.write_bytes(_bytes(content))

    def files(asked: str) -> Traversable:
        return folder if asked == package else resources.files(asked)

    monkeypatch.setattr(bot.languages, "files", files)
    forget()


def po(language: str, sentences: Mapping[str, str | tuple[str, ...]], plural: str = "") -> str:
    """A catalogue's text. `plural` is the header of its plural forms; without it they are as CLDR has them."""
    header = f'"Plural-Forms: {plural}\\n"\n' if plural else ""
    return HEADER.format(language=language, plural=header) + "\n".join(_entry(*each) for each in sentences.items())


def _entry(key: str, forms: str | tuple[str, ...]) -> str:
    if isinstance(forms, str):
        return f'msgid "{key}"\nmsgstr "{forms}"\n'
    numbered = "".join(f'msgstr[{number}] "{form}"\n' for number, form in enumerate(forms))
    return f'msgid "{key}"\nmsgid_plural "{key}"\n{numbered}'


def _bytes(content: bytes | str | Catalog) -> bytes:
    if isinstance(content, Catalog):
        written = BytesIO()
        write_po(written, content)
        return written.getvalue()
    return content if isinstance(content, bytes) else content.encode()
