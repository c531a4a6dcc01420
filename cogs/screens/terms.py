"""What a screen says of a match's options: what the game's presenter tells, and whose settings they are (C-11)."""

from __future__ import annotations

from typing import Any

from bot.games import GAMES
from cogs.screens.presenter import Presenter, Reader
from engines.options import settled


def told_terms(presenter: Presenter, game: str, options: Any, reader: Reader) -> tuple[str, ...]:
    """The options in lines. Where a game has several presets, its author's own settings are named as such."""
    terms = presenter.terms(options, reader)
    info = GAMES[game].info
    if len(info.presets) > 1 and settled(options) == settled(info.options()):
        return (reader.words("terms.author"), *terms)
    return terms
