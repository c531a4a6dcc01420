"""A gallery misses nothing that a game asks, and shows what the bot would send."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from bot.art.images import FAMILIES
from bot.ui.catalogue import translations
from bot.ui.preferences import CardStyle
from cogs.screens.cards.forms import CardForms
from discord_sandbox import Sandbox
from engines import GAMES
from engines.players.review import is_reviewed
from laws.limits import faults
from tests.end_to_end.cardroom import cardroom
from tests.gallery import commands, profiles
from tests.gallery.matches import ANIMATION, REVIEW, scenes, styles_of
from tests.gallery.measuring import Measured, counted
from tests.gallery.moments import questions_of
from tests.gallery.scene import HeardWords, Kind, Scene, uploaded
from tests.games.cases import case_of
from tests.languages.comparing import twice
from tests.page.screenshots import README

TEXT_REVIEW = (REVIEW, CardStyle.TEXT.value)
ROOT = Path(__file__).parents[2]
ANY = case_of("haymaker")
"""Discord's limits are the same for every game."""


@cache
def made(key: str) -> tuple[CardForms, HeardWords, tuple[Scene, ...]]:
    """All scenes of a game's matches, in what forms, and the words that were said in them."""
    forms, words = CardForms(), HeardWords()
    return forms, words, tuple(scenes(case_of(key), forms, words))


@pytest.mark.nightly  # draws each screen of a game in all forms
@pytest.mark.parametrize("key", GAMES)
def test_a_gallery_has_every_question_of_every_game(key: str) -> None:
    _, words, found = made(key)
    assert len(questions_of(key)) > 3
    assert questions_of(key) <= words.keys
    titles = [scene.title for scene in found if scene.form == CardStyle.TEXT.value]
    assert len(set(titles)) == len(titles)
    assert {f"The end: {ending}" for ending in case_of(key).endings} <= set(titles)
    for scene in found:
        assert scene.shown
        for shown in scene.shown:
            assert faults(ANY, shown.message["components"]) == {}


@pytest.mark.nightly
@pytest.mark.parametrize("key", FAMILIES)
def test_a_hand_says_what_its_decision_needs_and_has_few_controls(key: str) -> None:
    _, _, found = made(key)
    hands = [
        Measured(scene, shown, 0.0, *counted(shown))
        for scene in found
        for shown in scene.shown
        if shown.kind in (Kind.HAND, Kind.HAND_ALONE)
    ]
    assert hands
    assert [(each.where, [*each.over()]) for each in hands if any(each.over())] == []


@pytest.mark.nightly
@pytest.mark.parametrize("key", GAMES)
def test_it_has_cards_in_every_form_that_differs(key: str) -> None:
    forms, words, found = made(key)
    offered = styles_of(key, forms, words)
    assert CardStyle.TEXT.value in offered
    assert all(forms.of(key, style, words) in offered.values() for style in CardStyle)
    assert {scene.form for scene in found} == set(offered)


def test_profiles_are_shown_with_their_curves() -> None:
    (scene,) = profiles.scenes(HeardWords())
    assert [bool(shown.picture) for shown in scene.shown] == [True, True, True, False]
    for shown in scene.shown:
        assert faults(ANY, shown.message["components"]) == {}


async def test_what_the_bot_answers_to_commands_is_there_as_it_was(tmp_path: Path) -> None:
    async with Sandbox.running() as sandbox, cardroom(sandbox, tmp_path):
        found = await commands.scenes(sandbox, ["haymaker"], translations("en"))
        offered = {command["name"] for command in sandbox.people[0].commands(sandbox.channel("lobby"))}
    shown = {scene.title: scene.shown for scene in found if scene.group == GAMES["haymaker"].info.title}
    assert "Page 1 of" in str(shown["The rules"][0].message["components"])
    first, _, _, declined, *_ = shown["Challenge and table"]
    assert first.message["id"] == declined.message["id"]
    assert first.message["components"] != declined.message["components"]
    assert translations("en")("learn.done_title", game="Haymaker") in str(shown["The lesson"][-1].message["components"])
    assert [label for scene in found for each in scene.shown for label in twice(each.message["components"])] == []
    captions = {each.caption.split(",")[0].split(" ")[0] for scene in found for each in scene.shown}
    missing = {name for name in offered if f"/{name}" not in captions} - set(GAMES) - {"Challenge…", "Profile"}
    assert missing == set(), "a command that the gallery does not try"


@pytest.mark.nightly
@pytest.mark.parametrize("key", [key for key in GAMES if is_reviewed(key)])
def test_what_decided_a_match_is_there_with_its_picture(key: str) -> None:
    (found,) = [each for each in made(key)[2] if (each.title, each.form) == TEXT_REVIEW]
    for shown in found.shown:
        if translations("en")("review.unmeasured") in str(shown.message):
            assert not shown.picture
            continue
        assert shown.picture.startswith(b"\x89PNG")
        assert "data:image/png;base64," in str(uploaded(shown))
        assert "data:" not in str(shown.message)


def test_a_match_is_there_as_an_animated_picture() -> None:
    (found,) = [each for each in made("haymaker")[2] if each.title == ANIMATION]
    for shown in found.shown:
        (file,) = shown.message["attachments"]
        assert file["url"].startswith("data:image/gif;base64,R0lGODlh")
        assert file["description"]


def test_the_readmes_pictures_are_those_that_are_taken() -> None:
    assert {file.name for file in (ROOT / "docs" / "images").iterdir()} == set(README)
    text = (ROOT / "README.md").read_text("utf-8")
    assert all(f"docs/images/{name}" in text for name in README)
