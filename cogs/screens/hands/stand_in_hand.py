"""The hand of a seat that a computer plays on (C-8)."""

from __future__ import annotations

from typing import Any, Final

from bot.play.computers.stand_ins import LEVEL
from bot.play.live_match import LiveMatch
from bot.ui.screen import Button, Press, Screen, Text, Tone, noted
from cogs.screens.cards.fitting import fitting
from cogs.screens.narration import recent_events
from cogs.screens.presenter import Presenter, Reader
from cogs.screens.renderer import is_whole
from engines.game import Private

LOG_LINES: Final = 4
"""How many of the last events the hand lists, those of the computer among them."""


def stand_in_hand(
    match: LiveMatch,
    presenter: Presenter,
    own: Private[Any, Any],
    reader: Reader,
    note: str = "",
    *,
    resting: bool = False,
) -> Screen:
    """The cards, what the computer did, and the one button that gives the seat back. `resting` disables it."""

    def made(reader: Reader) -> Screen:
        words = reader.words
        level = words(f"computer.level.{match.holders.level(own.seat) or LEVEL}")
        said = [words("stand_in.held"), words(f"stand_in.until_back.{match.stand_in}", level=level)]
        sections = (
            *noted(note),
            Text(said[1] if note == said[0] else f"**{said[0]}** {said[1]}"),
            *presenter.hand_text(own, reader),
            recent_events(match, own.seat, presenter, reader, most=LOG_LINES),
        )
        back = Button(words("button.take_back"), Press("takeback"), Tone.GOOD, enabled=not resting)
        title = words("hand.title", game=match.game.info.title)
        return Screen(title, sections, ((back,),), tone=Tone.MAIN)

    return fitting(reader, made, is_whole)
