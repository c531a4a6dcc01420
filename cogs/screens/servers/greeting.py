"""What the bot says when it joins a server."""

from __future__ import annotations

from bot.games import GAMES
from bot.ui.catalogue import Translations
from bot.ui.screen import Screen, Text, Tone
from cogs.screens.servers.permission_check import check_text


def greeting_screen(lacking: tuple[str, ...], words: Translations) -> Screen:
    """What the bot is, how to begin, where its settings are, and which permissions it lacks in the channel."""
    games = " · ".join(game.info.title for game in GAMES.values())
    return Screen(
        words("greeting.title"),
        (Text(words("greeting.about", games=games)), Text(words("greeting.begin")), check_text(lacking, words)),
        tone=Tone.MAIN,
    )
