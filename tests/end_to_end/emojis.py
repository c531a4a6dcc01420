"""The application's emojis on a sandbox, in tests."""

from __future__ import annotations

from bot.art.images import Size, images
from discord_sandbox import Sandbox


def give_emojis(sandbox: Sandbox) -> None:
    """Let all emojis of cards be there already, so that a bot uploads none."""
    for image in images(Size.EMOJI).values():
        sandbox.add_emoji(image.emoji_name, image.png)


def emoji_names_on(sandbox: Sandbox) -> list[str]:
    """The names of the application's emojis, in the order in which they were made."""
    return [each["name"] for each in sandbox.world.application.emojis.values()]
