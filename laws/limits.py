"""Discord's limits: every screen, with the longest names there are, is a message that Discord takes."""

from __future__ import annotations

from typing import Any

from bot.play.live_match import LiveMatch
from cogs.screens.renderer import PICTURE_NAME, Component, render
from laws.bodies import as_drawn, screens
from laws.case import GameCase
from sandbox.model.errors import Faults
from sandbox.validation.components import Media, read_components
from sandbox.validation.forms import Form

_MEDIA = Media({PICTURE_NAME: {"id": "1", "url": "", "proxy_url": ""}})
"""The picture that is uploaded with a message."""


def faults(components: list[Component]) -> dict[str, Any]:
    """What Discord would refuse in a message of these components."""
    found = Faults()
    read_components(Form({"components": components}, found), v2=True, custom_emojis=(), media=_MEDIA)
    return found.tree


def screens_fit(case: GameCase, match: LiveMatch) -> None:
    """Discord refuses nothing of all that anybody may be shown of a match at this point."""
    for viewer in (None, *range(len(match.seats))):
        for screen in {id(screen): screen for screen in screens(case, match, viewer)}.values():
            assert faults(render(as_drawn(screen), match.id)) == {}
