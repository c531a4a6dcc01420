"""Draws the pictures of screens, outside the event loop.

A screen with a picture is complete without it: the texts say all that it shows. So an error in drawing costs the
picture alone.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Final

from bot import logs
from bot.art.curve import Curve
from bot.art.curve_picture import draw_curve
from bot.art.rating_curve import RatingCurve
from bot.art.rating_picture import draw_rating
from bot.art.table import draw
from bot.telemetry import Telemetry
from bot.ui.screen import Picture, Screen

_PAINTER: Final = ThreadPoolExecutor(1, "pictures")
"""One thread, because one picture after the other is drawn soonest: they share the interpreter with the event loop. It
is not asyncio's own pool, where a hundred matches that end at once would keep the look-up of addresses waiting."""


async def drawn(screen: Screen, telemetry: Telemetry) -> Screen:
    """A screen with its pictures drawn; without those that could not be drawn."""
    if not any(isinstance(section, Picture) for section in screen.sections):
        return screen
    try:
        return await asyncio.get_running_loop().run_in_executor(_PAINTER, with_pictures, screen)
    except Exception as error:  # noqa: BLE001  whatever is wrong with a picture, the texts are shown
        logs.log_error(error, "drawing a table", telemetry)
        return screen


def with_pictures(screen: Screen) -> Screen:
    """The same, drawn in the calling thread. Raises NoPictureError, and what Pillow raises."""
    sections = [
        replace(section, png=_drawn(section)) if isinstance(section, Picture) else section
        for section in screen.sections
    ]
    return replace(screen, sections=tuple(sections))


def _drawn(picture: Picture) -> bytes:
    layout = picture.layout
    if isinstance(layout, RatingCurve):
        return draw_rating(layout)
    return draw_curve(layout) if isinstance(layout, Curve) else draw(layout)
