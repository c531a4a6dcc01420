"""The pictures of a message."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from discord_sandbox import MessageView, Sandbox

GALLERY = 12


def galleries(message: MessageView) -> list[dict[str, Any]]:
    """The pictures that a message shows, as Discord sends them."""
    return list(_galleries(message.raw["components"]))


def _galleries(components: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for component in components:
        if component["type"] == GALLERY:
            yield from component["items"]
        yield from _galleries(component.get("components", []))


def picture_of(sandbox: Sandbox, message: MessageView) -> bytes:
    """The one picture that a message shows."""
    (item,) = galleries(message)
    (file,) = message.raw["attachments"]
    assert item["media"]["attachment_id"] == file["id"]
    assert (file["filename"], file["content_type"]) == ("table.png", "image/png")
    content = sandbox.file(int(file["id"]))
    assert file["size"] == len(content) <= 15 * 1024
    return content
