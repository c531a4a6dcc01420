"""Which permissions the bot lacks in a channel, why it needs them, and what to do."""

from __future__ import annotations

from typing import Final

from bot.ui.catalogue import Translations
from bot.ui.screen import Text

NEEDED: Final = (
    "view_channel",
    "send_messages",
    "read_message_history",
    "embed_links",
    "attach_files",
    "create_public_threads",
    "send_messages_in_threads",
)
"""By the names that discord.py gives them. Emojis of the application itself need no permission
(https://discord.com/developers/docs/resources/emoji#application-owned-emoji), and neither does reopening a thread that
was archived for quiet (https://discord.com/developers/docs/topics/threads#permissions)."""


def missing(granted: object) -> tuple[str, ...]:
    """The needed permissions that are not granted. `granted` has an attribute for each, as `discord.Permissions`."""
    return tuple(name for name in NEEDED if not getattr(granted, name))


def check_text(lacking: tuple[str, ...], words: Translations) -> Text:
    """What the bot lacks in a channel, in words."""
    if not lacking:
        return Text(words("check.whole"))
    lines = [
        words("check.lacking"),
        *(f"- **{words(f'permission.{name}')}**: {words(f'check.{name}')}" for name in lacking),
    ]
    return Text("\n".join((*lines, words("check.how"))))
