"""Embeds, with Discord's limits.

Source: Discord's developer documentation, "Embed Limits": 10 a message, 6,000 characters in all.
"""

from __future__ import annotations

from sandbox.forms import Form
from sandbox.wire import JsonObject

MOST_EMBEDS = 10
MOST_TEXT = 6000


def read_embeds(form: Form) -> list[JsonObject]:
    """Read the `embeds` of a message's form, each made a "rich" one."""
    found: list[JsonObject] = []
    total = 0
    for embed in form.forms("embeds", 0, MOST_EMBEDS):
        total += _read_one(embed)
        kept = {key: each for key, each in embed.value.items() if each is not None}
        found.append({**kept, "type": "rich"})
    if total > MOST_TEXT:
        form.fault("embeds", "MAX_EMBED_SIZE_EXCEEDED", "Embed size exceeds maximum size of 6000")
    return found


def _read_one(embed: Form) -> int:
    texts = [
        embed.text("title", 0, 256),
        embed.text("description", 0, 4096),
        _text_of(embed, "footer", "text", 2048),
        _text_of(embed, "author", "name", 256),
    ]
    for field in embed.forms("fields", 0, 25):
        texts.append(field.text("name", 1, 256, required=True))
        texts.append(field.text("value", 1, 1024, required=True))
        field.truth("inline")
    embed.integer("color", 0, 0xFFFFFF)
    embed.text("url", 0, 2048)
    return sum(len(text) for text in texts if text)


def _text_of(embed: Form, key: str, inner_key: str, high: int) -> str | None:
    inner = embed.form(key)
    return None if inner is None else inner.text(inner_key, 1, high, required=True)
