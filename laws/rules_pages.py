"""The rules that players read: every question leads to one of their pages, and Discord takes every page whole.

A challenge tells every option of its match that is not the default, so nobody accepts what they did not read.
"""

from __future__ import annotations

import random
from typing import Any

from bot.languages import languages
from bot.ui.catalogue import translations
from bot.ui.screen import Text
from cogs.screens.additions import arranged
from cogs.screens.presenter import Presenter, Reader
from cogs.screens.renderer import Component, render
from cogs.screens.rules_pages import rules_pages, rules_screen
from engines.options import Number, Takes, settled, takes
from laws.bodies import ADDED
from laws.case import GameCase
from laws.limits import faults
from laws.play import MatchLog

LONGEST_MATCH_ID = "w" * 24

ALL = 100
"""Of an option with more numbers than this, a sample of as many is tried."""


def questions_have_pages(case: GameCase, log: MatchLog) -> None:
    """Every page that is named for a question is in the rules, in every language."""
    asked = {
        case.presenter.rules_page(case.game.observe_public(state))
        for state in log.states
        if case.game.window(state) is not None
    }
    for language in languages():
        assert asked - {""} <= {page.name for page in rules_pages(case.key, language)}


def pages_are_the_same_in_every_language(case: GameCase) -> None:
    """Pages with the same names come in the same order, so a page keeps its number. No name stands twice."""
    names = [page.name for page in rules_pages(case.key, "en")]
    assert all(page.heading and page.text for page in rules_pages(case.key, "en"))
    assert len({name for name in names if name}) == len([name for name in names if name])
    for language in languages():
        assert [page.name for page in rules_pages(case.key, language)] == names


def pages_fit(case: GameCase, options: Any) -> None:
    """Discord refuses no page, with the terms of these options, and nothing of it is cut."""
    for language in languages():
        words = translations(language)
        terms = case.presenter.terms(options, Reader(words, ()))
        added = arranged((), ADDED.rules, case.key, case.presenter, words)
        for index, page in enumerate(rules_pages(case.key, language)):
            screen = rules_screen(case.key, index, words, terms, added)
            components = render(screen, LONGEST_MATCH_ID)
            assert faults(case, components) == {}
            shown = "\n".join(_texts(components))
            assert page.text in shown
            assert all(section.text in shown for section in screen.sections if isinstance(section, Text))
            assert screen.footer in shown


def _texts(components: list[Component]) -> list[str]:
    return [part["content"] for container in components for part in container["components"] if "content" in part]


def every_value_is_told(options: type[Any], presenter: Presenter) -> None:
    """For each option, `terms` of each value differ from those of each other value, the default among them."""
    reader = Reader(translations("en"), ())
    for name, taken in takes(options).items():
        told = {presenter.terms(settled(options()), reader): settled(options())}
        for value in _tried(name, taken):
            chosen = settled(options(**{name: value}))
            other = told.setdefault(presenter.terms(chosen, reader), chosen)
            assert other == chosen, (
                f"a challenge says the same for {name}={value!r} as for {getattr(other, name)!r}: tell the option in "
                f"`terms` of {type(presenter).__name__}"
            )


def _tried(name: str, taken: Takes) -> tuple[Any, ...]:
    """All values of an option where they are few, else both ends, those that are listed, and a sample of the others."""
    if not isinstance(taken, Number) or len(taken.numbers) <= ALL:
        return taken.values
    sample = random.Random(name).sample(taken.numbers, ALL)
    return tuple(dict.fromkeys((taken.least, taken.most, *taken.listed, *sample, *taken.values[-1:])))
