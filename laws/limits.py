"""Discord's limits: every screen, with the longest names there are, is a message that Discord takes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.play.live_match import LiveMatch
from bot.ui.preferences import CardStyle
from bot.ui.screen import Cards, Picture, Rule, Screen
from bot.ui.text_lines import EMOJI
from cogs.screens.renderer import PICTURE_NAME, Component, is_whole, render, written
from laws.bodies import EMOJI_IDS, as_drawn, screens
from laws.case import GameCase


def faults(case: GameCase, components: list[Component]) -> Mapping[str, Any]:
    """What Discord would refuse in a message of these components."""
    return case.refusals(components, EMOJI_IDS, [PICTURE_NAME])


def screens_fit(case: GameCase, match: LiveMatch) -> None:
    """Discord refuses nothing of all that anybody may be shown of a match at this point, and nothing with emojis is cut
    or half text."""
    for viewer in (None, *range(len(match.seats))):
        for screen in {id(screen): screen for screen in screens(case, match, viewer)}.values():
            assert faults(case, render(as_drawn(screen), match.id)) == {}
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
