"""The application's emojis on a sandbox, in tests."""

from __future__ import annotations

from bot.art.images import Size, images
from sandbox import Sandbox
from sandbox.model import payloads
from sandbox.validation.attachments import StoredFile


def give_emojis(sandbox: Sandbox) -> None:
    """Let all emojis of cards be there already, so that a bot uploads none."""
    application = sandbox.world.application
    for image in images(Size.EMOJI).values():
        number = sandbox.world.snowflakes.next()
        application.emojis[number] = payloads.emoji(number, image.emoji_name, application.bot)
        sandbox.backend.attachments.emojis[number] = StoredFile("image/png", image.png)


def emoji_names_on(sandbox: Sandbox) -> list[str]:
    """The names of the application's emojis, in the order in which they were made."""
    return [each["name"] for each in sandbox.world.application.emojis.values()]
