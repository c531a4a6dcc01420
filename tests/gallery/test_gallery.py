"""A gallery misses nothing that a game asks, and shows what the bot would send."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.ui.card_styles import CardStyle
from bot.ui.catalogue import translations
from cogs.screens.cards.forms import CardForms
from engines import GAMES
from engines.players.review import is_reviewed
from laws.limits import faults
from sandbox import Sandbox
from tests.end_to_end.cardroom import cardroom
from tests.gallery import commands
from tests.gallery.matches import REVIEW, scenes, styles_of
from tests.gallery.moments import questions_of
from tests.gallery.scene import HeardWords, uploaded
from tests.games.cases import case_of
from tests.page.screenshots import README

TEXT_REVIEW = (REVIEW, CardStyle.TEXT.value)
ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("key", GAMES)
def test_a_gallery_has_every_question_of_every_game(key: str) -> None:
    case, words = case_of(key), HeardWords()
    found = list(scenes(case, CardForms(), words))
    assert len(questions_of(key)) > 3
    assert questions_of(key) <= words.keys
    titles = [scene.title for scene in found if scene.form == CardStyle.TEXT.value]
    assert len(set(titles)) == len(titles)
    assert {f"The end: {ending}" for ending in case.endings} <= set(titles)
    for scene in found:
        assert scene.shown
        for shown in scene.shown:
            assert faults(shown.message["components"]) == {}


@pytest.mark.parametrize("key", GAMES)
def test_it_has_cards_in_every_form_that_differs(key: str) -> None:
    forms, words = CardForms(), HeardWords()
    offered = styles_of(key, forms, words)
    assert CardStyle.TEXT.value in offered
    assert all(forms.of(key, style, words) in offered.values() for style in CardStyle)
    assert {scene.form for scene in scenes(case_of(key), forms, words)} == set(offered)


async def test_what_the_bot_answers_to_commands_is_there_as_it_was(tmp_path: Path) -> None:
    async with Sandbox.running() as sandbox, cardroom(sandbox, tmp_path):
        found = await commands.scenes(sandbox, ["haymaker"])
        offered = {command["name"] for command in sandbox.people[0].commands(sandbox.channel("lobby"))}
    shown = {scene.title: scene.shown for scene in found if scene.group == GAMES["haymaker"].info.title}
    assert "Page 1 of" in str(shown["The rules"][0].message["components"])
    first, _, declined, *_ = shown["Challenge and table"]
    assert first.message["id"] == declined.message["id"]
    assert first.message["components"] != declined.message["components"]
    assert translations("en")("learn.done_title", game="Haymaker") in str(shown["The lesson"][-1].message["components"])
    captions = {each.caption.split(",")[0].split(" ")[0] for scene in found for each in scene.shown}
    missing = {name for name in offered if f"/{name}" not in captions} - set(GAMES) - {"Challenge…"}
    assert missing == set(), "a command that the gallery does not try"


@pytest.mark.parametrize("key", [key for key in GAMES if is_reviewed(key)])
def test_what_decided_a_match_is_there_with_its_picture(key: str) -> None:
    (found,) = [
        each for each in scenes(case_of(key), CardForms(), HeardWords()) if (each.title, each.form) == TEXT_REVIEW
    ]
    for shown in found.shown:
        assert shown.picture.startswith(b"\x89PNG")
        assert "data:image/png;base64," in str(uploaded(shown))
        assert "data:" not in str(shown.message)


def test_the_readmes_pictures_are_those_that_are_taken() -> None:
    assert {file.name for file in (ROOT / "docs" / "images").iterdir()} == set(README)
    text = (ROOT / "README.md").read_text("utf-8")
    assert all(f"docs/images/{name}" in text for name in README)
