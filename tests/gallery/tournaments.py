"""Tournaments at all points that a gallery's commands don't come to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import cycle
from typing import Final

from bot.pairing.model import Format
from bot.ui.catalogue import Translations
from bot.ui.screen import Screen
from cogs.screens.tables import with_pictures
from cogs.tournaments import screens
from cogs.tournaments.commands import correct_screen
from cogs.tournaments.panel import OFFERED, Dealt
from cogs.tournaments.rows import DealRow, Hold, State, Whole
from cogs.tournaments.screens import View
from tests.cogs.tournaments.made import ID, ended, joined, played, tournament, view
from tests.gallery.scene import EVERYWHERE, Scene, Shown, of_screen

PEOPLE: Final = 16


def scenes(words: Translations, called: Sequence[str] = ()) -> Iterator[Scene]:
    """A scene of each format. People are called by these names, one after the other, or by long ones."""
    names = cycle(called or [f"Hieronymus {number}" for number in range(10, 100)])
    for form in OFFERED:
        for dealt in Dealt if form is not Format.ARENA else (Dealt.OWN,):
            of = tournament(form, dealt)
            title = f"A tournament: {form}, {dealt}"
            yield Scene(EVERYWHERE, title, "text", tuple(_shown(played(PEOPLE, of, 2, over=True), words, names)))
    of = tournament()
    waiting = (
        ("Nobody is in", joined(0, of)),
        ("People join", joined(PEOPLE, of)),
        ("They look for partners", joined(PEOPLE, tournament(dealt=Dealt.TEAMS))),
        ("An arena is played", played(PEOPLE, tournament(Format.ARENA), 3)),
        ("They confirm", joined(PEOPLE, replace(of, state=State.CHECKING, due_at=2_000_000))),
        ("A round is played", played(PEOPLE, of, 2)),
        ("It is paused", _paused(played(PEOPLE, of, 2))),
        ("It was paused for too long", _given_up(played(PEOPLE, of, 2))),
        ("With many players", played(64, of, 2)),
        (
            "At tables of four",
            played(PEOPLE - 1, tournament(dealt=Dealt.FIELD, game="champions", seats=4), 2, over=True),
        ),
    )
    found = [each for caption, whole in waiting for each in _of_state(caption, whole, words, names)]
    yield Scene(EVERYWHERE, "A tournament on its way", "text", tuple(found))


def _paused(whole: Whole) -> Whole:
    return replace(whole, tournament=replace(whole.tournament, hold=Hold.HOST, held_at=2_000_000))


def _given_up(whole: Whole) -> Whole:
    held = replace(whole.tournament, hold=Hold.HOST, state=State.CALLED_OFF, ended_at=9_000_000)
    return replace(whole, tournament=held)


def _view(whole: Whole, names: Iterator[str]) -> View:
    of = view(whole)
    return replace(of, names={user: next(names) for user in of.names})


def _of_state(caption: str, whole: Whole, words: Translations, names: Iterator[str]) -> Iterator[Shown]:
    of = _view(whole, names)
    yield _one(caption, screens.public_screen(of, words), private=False)
    yield _one(f"{caption}: of somebody", screens.own_screen(of, 101, words))
    yield _one(f"{caption}: its host", screens.more_screen(of, words, host=True))


def _shown(whole: Whole, words: Translations, names: Iterator[str]) -> Iterator[Shown]:
    yield from _of_state("Between rounds", whole, words, names)
    of = _view(whole, names)
    yield _one("The standings", screens.standings_screen(of, 0, words))
    yield _one("Correcting", correct_screen(of, whole.pairings[0], "", words))
    yield _one("Calling off", screens.ask_screen(of, words))
    over = _view(ended(whole), names)
    yield _one("The end", screens.public_screen(over, words), private=False)
    deals = [DealRow(1, f"deal{nth}", 1, "{}", bytes(32), bytes(32), nth, 0, 1) for nth in (1, 2)]
    yield _one("Its proof", screens.proof_screen(over, deals, words))


def _one(caption: str, screen: Screen, *, private: bool = True) -> Shown:
    return of_screen(caption, with_pictures(screen), ID, private=private)
