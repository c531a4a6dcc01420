"""The rules as pages: how a file is cut, what a page shows, and which page belongs to which question."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields
from enum import Enum
from types import SimpleNamespace
from typing import Any

import pytest

from bot.games import GAMES
from bot.ui.catalogue import translations
from bot.ui.screen import Button, Screen, Select, Text
from cogs.screens import rules_pages as module
from cogs.screens.renderer import MOST_OPTIONS
from cogs.screens.rules_pages import RulesPage, index_of, rules_pages, rules_screen
from engines import champions, ciq, haymaker, tivmiv, unbreakable
from tests.games.cases import case_of

say = translations("en")
IN_FORCE = say("rules.terms")


@pytest.fixture
def rules(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """Replaces the rules of every game by a text."""

    def replaced(text: str) -> None:
        monkeypatch.setattr(module, "rules_text", lambda *_: text)
        rules_pages.cache_clear()

    yield replaced
    rules_pages.cache_clear()


def list_of(screen: Screen) -> Select:
    """The list of pages."""
    ((select,), _) = screen.rows
    assert isinstance(select, Select)
    return select


def in_force(screen: Screen) -> bool:
    """Whether a page shows the options in force."""
    return any(isinstance(section, Text) and IN_FORCE in section.text for section in screen.sections)


# ---------------------------------------------------------------------------------------------- files


def test_a_page_is_a_heading_of_the_second_level_and_a_text_without_pages_one_page(
    rules: Callable[[str], None],
) -> None:
    rules("# Game\n\nA line.\n\n## One\n<!-- page: first -->\n\nText.\n\n### Part\nMore.\n\n## Two\n\nNo name.\n")
    assert rules_pages("haymaker", "en") == (
        RulesPage("first", "One", "Text.\n\n### Part\nMore."),
        RulesPage("", "Two", "No name."),
    )
    rules("# Game\n\nJust play.\n")
    assert rules_pages("haymaker", "en") == (RulesPage("", "Game", "Just play."),)
    assert rules_screen("haymaker", 0, say).rows == ()
    rules("# Game\n## One\n<!-- page: one -->\na\n## Two\nb\n## Three\n<!-- page: three -->\nc\n")
    assert [index_of(name, "haymaker", "en") for name in ("one", "three", "four", "")] == [0, 2, 0, 0]


def test_more_pages_than_a_list_can_have_are_listed_around_the_present_one(rules: Callable[[str], None]) -> None:
    rules("# Game\n" + "".join(f"## {'Long ' * 30}{n}\ntext\n" for n in range(1, 61)))
    for index in (0, 5, 30, 58, 59):
        lines = list_of(rules_screen("haymaker", index, say)).options
        values = [int(line.value) for line in lines]
        assert len(values) == MOST_OPTIONS
        assert index in values
        assert values == sorted(values)
        assert all(len(line.label) <= 100 for line in lines)


# ---------------------------------------------------------------------------------------------- screens


def test_past_the_last_page_it_is_the_last_and_back_and_next_are_always_there() -> None:
    last = len(rules_pages("ciq", "en")) - 1
    assert rules_screen("ciq", 999, say) == rules_screen("ciq", last, say)
    for index in range(len(rules_pages("ciq", "en"))):
        _, turn = rules_screen("ciq", index, say).rows
        buttons = [button for button in turn if isinstance(button, Button)]
        assert [button.label for button in buttons] == [say("button.previous"), say("button.next")]


@pytest.mark.parametrize("game", GAMES)
def test_the_options_in_force_are_on_two_pages_at_most(game: str) -> None:
    pages = rules_pages(game, "en")
    shown = [index for index in range(len(pages)) if in_force(rules_screen(game, index, say, ("Three cards.",)))]
    assert shown == [index for index, page in enumerate(pages) if index == 0 or page.name == "options"]
    assert not any(in_force(rules_screen(game, index, say)) for index in range(len(pages)))


@pytest.mark.parametrize("game", GAMES)
def test_our_rules_are_four_or_five_pages_short_first_with_tips(game: str) -> None:
    pages = rules_pages(game, "en")
    assert len(pages) in (4, 5)
    assert pages[0].heading == "In short"
    assert len(pages[0].text.split("\n\n")[0]) >= 400, "the first paragraph is enough to play"
    assert sum("### Tips" in page.text for page in pages) == 1
    assert all(len(page.text) >= 400 for page in pages), "a page is worth a press"
    has_options = bool(fields(GAMES[game].info.options))
    assert any(page.name == "options" for page in pages) is has_options


# ---------------------------------------------------------------------------------------------- questions

QUESTIONS: dict[str, tuple[str, type[Enum], dict[str, str]]] = {
    "champions": (
        "phase",
        champions.Phase,
        {
            "OPPONENT": "You name an **opponent**",
            "NUMBER": "a **number** from 2 to 6",
            "DICE": "as your **die**",
            "CALL": "the **highest** or the **lowest** number",
            "EXCHANGE": "### A tie",
            "STEAL": "- **STEAL**",
        },
    ),
    "ciq": ("phase", ciq.Phase, {"TURN": "- **Attack** an", "BLOCK": "### Blocking", "GIVE": "### When you run out"}),
    "haymaker": (
        "phase",
        haymaker.Phase,
        {"ATTACK": "**Normal attack**", "KEEP": "**Pass**", "REPLY": "### Taking the hit"},
    ),
    "tivmiv": (
        "stage",
        tivmiv.Stage,
        {
            "DEALT": "then **Ready**",
            "COUNTDOWN": "### Which card fits",
            "RACE": "### Which card fits",
            "SCORED": "Then press **Ready**",
        },
    ),
    "unbreakable": ("phase", unbreakable.Phase, {"CHOOSE": "put **one** away", "LAY": "the **attacker**"}),
}
"""By game: what says which question is asked, its values, and what the page of each explains. That each question of any
game has a page is a law."""


@pytest.mark.parametrize(("game", "question"), [(game, each) for game in QUESTIONS for each in QUESTIONS[game][2]])
def test_the_page_of_a_question_explains_it(game: str, question: str) -> None:
    field, values, explained = QUESTIONS[game]
    public: Any = SimpleNamespace(**{field: values[question]})  # a page may depend on the question alone
    page = rules_pages(game, "en")[index_of(case_of(game).presenter.rules_page(public), game, "en")]
    assert explained[question] in page.text
    assert page.name != "start"
