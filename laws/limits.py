"""Discord's limits: every screen, with the longest names there are, is a message that Discord takes."""

from __future__ import annotations

from typing import Any

from bot.play.live_match import LiveMatch
from bot.ui.preferences import CardStyle
from bot.ui.screen import Cards, Picture, Rule, Screen
from bot.ui.text_lines import EMOJI
from cogs.screens.renderer import PICTURE_NAME, Component, is_whole, render, written
from laws.bodies import EMOJI_IDS, as_drawn, screens
from laws.case import GameCase
from sandbox.model.errors import Faults
from sandbox.validation.components import Media, read_components
from sandbox.validation.forms import Form

_MEDIA = Media({PICTURE_NAME: {"id": "1", "url": "", "proxy_url": ""}})
"""The picture that is uploaded with a message."""


def faults(components: list[Component]) -> dict[str, Any]:
    """What Discord would refuse in a message of these components."""
    found = Faults()
    read_components(Form({"components": components}, found), v2=True, custom_emojis=EMOJI_IDS, media=_MEDIA)
    return found.tree


def screens_fit(case: GameCase, match: LiveMatch) -> None:
    """Discord refuses nothing of all that anybody may be shown of a match at this point, and nothing with emojis is cut
    or half text."""
    for viewer in (None, *range(len(match.seats))):
        for screen in {id(screen): screen for screen in screens(case, match, viewer)}.values():
            assert faults(render(as_drawn(screen), match.id)) == {}
            if case.style is CardStyle.EMOJIS:
                emojis_are_whole(screen)


def emojis_are_whole(screen: Screen) -> None:
    """A screen with emojis has room for all of its text, and no list mixes emojis and text."""
    texts = [written(section) for section in screen.sections if not isinstance(section, Rule | Picture)]
    if any(EMOJI.search(text) for text in texts):
        assert is_whole(screen), "emojis are cut"
    for section in screen.sections:
        if isinstance(section, Cards):
            assert len({EMOJI.match(card) is None for card in section.cards}) < 2, "half emojis and half text"
