"""The pictures of a message."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from discord_sandbox import MessageView

GALLERY = 12


def galleries(message: MessageView) -> list[dict[str, Any]]:
    """The pictures that a message shows, as Discord sends them."""
    return list(_galleries(message.raw["components"]))


def _galleries(components: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for component in components:
        if component["type"] == GALLERY:
            yield from component["items"]
        yield from _galleries(component.get("components", []))
