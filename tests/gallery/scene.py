"""What a gallery holds: messages as Discord's JSON, in scenes, each with the form that its cards are in."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Collection
from dataclasses import dataclass, replace
from enum import Enum
from mimetypes import guess_type
from typing import Any, Final

from bot.ui.catalogue import Translations
from bot.ui.screen import Screen
from cogs.replays.exports import ExportFile
from cogs.screens.renderer import PICTURE_NAME, Component, sheet

EPHEMERAL, COMPONENTS_V2 = 1 << 6, 1 << 15
SENT: Final = "2027-01-15T08:00:00+00:00"
NAMES: Final = ("Alice", "Bob", "Carol", "Dave", "Erin", "Frank")
EVERYWHERE: Final = "Everywhere"
"""The group of the scenes that belong to no game."""


def locale_of(language: str) -> str:
    """Discord's locale for somebody who reads a language."""
    return {"en": "en-US", "es": "es-ES"}.get(language, language.replace("_", "-"))


def world(locale: str) -> dict[str, Any]:
    """What a sandbox begins with whose people and servers all read this locale."""
    return {
        "people": [{"name": name, "locale": locale} for name in NAMES],
        "servers": [
            {"name": "First Server", "locale": locale, "channels": [{"name": "lobby"}, {"name": "games"}]},
            {"name": "Second Server", "locale": locale, "channels": [{"name": "general"}]},
        ],
    }


class Kind(Enum):
    """What a message is, as far as limits of its size go by it."""

    BOARD = "board"
    HAND = "hand"
    HAND_ALONE = "hand without a board"
    RESULT = "result"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Shown:
    """A message with a line about it, the picture that is uploaded with it, and for how many seats it is."""

    caption: str
    message: dict[str, Any]
    picture: bytes = b""
    kind: Kind = Kind.OTHER
    seats: int = 0


@dataclass(frozen=True, slots=True)
class Scene:
    """Messages of one moment; `group` is a game's title or `EVERYWHERE`, `form` a style of cards."""

    group: str
    title: str
    form: str
    shown: tuple[Shown, ...]


class HeardWords(Translations):
    """Sentences, and the keys of all that were asked for."""

    def __init__(self, language: str = "en") -> None:
        super().__init__(language)
        self.keys: set[str] = set()

    def __call__(self, key: str, /, **values: object) -> str:
        self.keys.add(key)
        return super().__call__(key, **values)

    def count(self, key: str, n: int, /, **values: object) -> str:
        self.keys.add(key)
        return super().count(key, n, **values)


def of_screen(caption: str, screen: Screen, table: str, *, private: bool = False) -> Shown:
    """A screen as the bot would send it."""
    made = sheet(screen, table)
    return replace(of_components(caption, made.to_components(), private=private), picture=made.picture)


def of_components(caption: str, components: Collection[Component], *, private: bool = False) -> Shown:
    """A message of these components."""
    flags = COMPONENTS_V2 | (EPHEMERAL if private else 0)
    return Shown(caption, {"type": 0, "content": "", "flags": flags, "components": [*components]})


def of_file(caption: str, text: str, file: ExportFile) -> Shown:
    """A message with a text and a file, which is in it because the gallery's page loads nothing."""
    kind = guess_type(file.name)[0] or "application/octet-stream"
    attached = {
        "id": "1",
        "filename": file.name,
        "content_type": kind,
        "size": len(file.content),
        "url": f"data:{kind};base64,{b64encode(file.content).decode()}",
        "description": file.description,
    }
    return Shown(caption, {"type": 0, "content": text, "flags": 0, "components": [], "attachments": [attached]})


def uploaded(shown: Shown) -> dict[str, Any]:
    """A message with its picture in it, because the gallery's page loads nothing."""
    address = f"data:image/png;base64,{b64encode(shown.picture).decode()}"
    made: dict[str, Any] = json.loads(json.dumps(shown.message).replace(f"attachment://{PICTURE_NAME}", address))
    return made if shown.picture else shown.message


def complete(message: dict[str, Any], author: dict[str, Any]) -> dict[str, Any]:
    """A message with all that Discord adds to what was sent."""
    added: dict[str, Any] = {
        "id": "1",
        "timestamp": SENT,
        "edited_timestamp": None,
        "embeds": [],
        "attachments": [],
        "mentions": [],
    }
    return {**added, "author": author, **message}
