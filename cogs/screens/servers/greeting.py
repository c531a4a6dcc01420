"""What the bot says when it joins a server."""

from __future__ import annotations

from bot.games import GAMES
from bot.ui.catalogue import Translations
from bot.ui.screen import Screen, Text, Tone
from cogs.screens.lessons.lesson_screen import lesson_list
from cogs.screens.servers.permission_check import check_text


def greeting_screen(lacking: tuple[str, ...], words: Translations, taught: tuple[str, ...] = ()) -> Screen:
    """What the bot is, how to begin, where its settings are, which permissions it lacks in the channel, and a list of
    the games that have a lesson."""
    games = " · ".join(game.info.title for game in GAMES.values())
    return Screen(
        words("greeting.title"),
        (Text(words("greeting.about", games=games)), Text(words("greeting.begin")), check_text(lacking, words)),
        lesson_list(taught, words),
        tone=Tone.MAIN,
    )
