"""Leagues at all points that a gallery's commands don't come to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import cycle

from bot.ui.catalogue import Translations
from bot.ui.screen import Screen
from cogs.leagues import screens
from cogs.leagues.queries import Whole
from cogs.leagues.screens import View
from tests.cogs.leagues.made import FIRST, ID, joined, over, playing, view
from tests.gallery.scene import EVERYWHERE, Scene, Shown, of_screen


def scenes(words: Translations, called: Sequence[str] = ()) -> Iterator[Scene]:
    """A league from its opening to its end. All are called alike, or by these names, one after the other."""
    names = cycle(called or ("Hieronymus",))
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
        of = _view(whole, names)
        found.append(_one(caption, screens.public_screen(of, words), private=False))
        found.append(_one(f"{caption}: of somebody", screens.own_screen(of, FIRST + 2, words)))
        found.append(_one(f"{caption}: a table", screens.standings_screen(of, 0, words)))
        found.append(_one(f"{caption}: its host", screens.more_screen(of, words, 7, host=True)))
    found.append(_one("Ending it", screens.ask_screen(_view(over(10), names), words)))
    yield Scene(EVERYWHERE, "A league", "text", tuple(found))


def _view(whole: Whole, names: Iterator[str]) -> View:
    of = view(whole)
    return replace(of, names={user: next(names) for user in of.names})


def _one(caption: str, screen: Screen, *, private: bool = True) -> Shown:
    return of_screen(caption, screen, ID, private=private)
