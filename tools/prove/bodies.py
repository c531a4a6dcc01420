"""The bodies of the messages that a run posts, made of Components V2 as the bot's own are
(https://discord.com/developers/docs/components/reference)."""

from __future__ import annotations

from typing import Any, Final

COMPONENTS_V2: Final = 1 << 15
EPHEMERAL: Final = 1 << 6
SILENT: Final = 1 << 12
"""Flags of messages (https://discord.com/developers/docs/resources/message#message-object-message-flags)."""

_ACTION_ROW, _BUTTON, _TEXT = 1, 2, 10
_GREY = 2

Body = dict[str, Any]


def texts(*lines: str, flags: int = 0) -> Body:
    """A message of texts, which notifies nobody."""
    return {
        "components": [{"type": _TEXT, "content": line} for line in lines],
        "flags": COMPONENTS_V2 | flags,
        "allowed_mentions": {"parse": []},
    }


def with_button(text: str, label: str, custom_id: str) -> Body:
    """A message of a text and a button."""
    body = texts(text, flags=SILENT)
    button = {"type": _BUTTON, "style": _GREY, "label": label, "custom_id": custom_id}
    body["components"].append({"type": _ACTION_ROW, "components": [button]})
    return body


def edited(body: Body) -> Body:
    """The same as an edit, which can set no other flag."""
    return {**body, "flags": COMPONENTS_V2}
