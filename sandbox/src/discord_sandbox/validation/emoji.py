"""Checks the emoji of a component or an option: a Unicode one, or a custom one that exists."""

from __future__ import annotations

from collections.abc import Collection

from discord_sandbox.model import snowflake
from discord_sandbox.validation.forms import Form


def read_emoji(form: Form, key: str, custom: Collection[int]) -> None:
    """Record an error if field `key` has an emoji that is neither Unicode nor among `custom` ids."""
    found = form.form(key)
    if found is None:
        return
    raw_id = found.value.get("id")
    if raw_id is not None:
        if not (snowflake.parsed(str(raw_id)) is not None and int(raw_id) in custom):
            found.fault("id", "BUTTON_COMPONENT_INVALID_EMOJI", "Invalid emoji")
        found.value["id"] = str(raw_id)  # as Discord returns it
        return
    name = found.value.get("name")
    if not isinstance(name, str) or not looks_like_unicode(name):
        found.fault("name", "BUTTON_COMPONENT_INVALID_EMOJI", "Invalid emoji")


def looks_like_unicode(name: str) -> bool:
    """Emoji are short, and only keycaps contain an ASCII sign (a digit, # or *)."""
    if not 1 <= len(name) <= 16:
        return False
    if name.isascii():
        return False
    return all(not sign.isascii() or sign in "0123456789#*" for sign in name)
