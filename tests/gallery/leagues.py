"""Leagues at all points that a gallery's commands don't come to."""

from __future__ import annotations

from collections.abc import Iterator

from bot.ui.catalogue import Translations
from bot.ui.screen import Screen
from cogs.leagues import screens
from tests.cogs.leagues.made import FIRST, ID, joined, over, playing, view
from tests.gallery.scene import EVERYWHERE, Scene, Shown, of_screen


def scenes(words: Translations) -> Iterator[Scene]:
    """A league from its opening to its end."""
    moments = (
        ("Nobody is in", joined(0)),
        ("People join", joined(10)),
        ("A week is played", playing(10)),
        ("The last matches", playing(10, 6)),
        ("The season is over", over(10)),
        ("With many players", playing(64)),
    )
    found: list[Shown] = []
    for caption, whole in moments:
        of = view(whole, "Hieronymus")
        found.append(_one(caption, screens.public_screen(of, words), private=False))
        found.append(_one(f"{caption}: of somebody", screens.own_screen(of, FIRST + 2, words)))
        found.append(_one(f"{caption}: a table", screens.tables_screen(of, 0, words)))
        found.append(_one(f"{caption}: its host", screens.more_screen(of, words, 7, host=True)))
    found.append(_one("Ending it", screens.ask_screen(view(over(10), "Hieronymus"), words)))
    yield Scene(EVERYWHERE, "A league", "text", tuple(found))


def _one(caption: str, screen: Screen, *, private: bool = True) -> Shown:
    return of_screen(caption, screen, ID, private=private)
