"""The application's own emojis.

Source: Discord's developer documentation, "Emoji Resource": names of 2 to 32 letters, digits and
underscores, 256 KiB per picture, 2,000 emojis.
"""

from __future__ import annotations

import re
from base64 import b64decode
from binascii import Error as Base64Error

from discord_sandbox.api.call import Call
from discord_sandbox.model import errors, payloads
from discord_sandbox.model.wire import JsonObject
from discord_sandbox.validation.attachments import StoredFile
from discord_sandbox.validation.forms import Form

MOST_EMOJIS = 2000
MOST_BYTES = 256 * 1024
_NAME = re.compile(r"\w{2,32}", re.ASCII)
_PICTURE = re.compile(r"data:(image/(?:png|jpeg|gif|webp|avif));base64,(.+)", re.DOTALL)


def listed(call: Call) -> JsonObject:
    call.own_application()
    return {"items": list(call.backend.world.application.emojis.values())}


def emoji(call: Call) -> JsonObject:
    """One of them; raises ApiError 10014."""
    call.own_application()
    found = call.backend.world.application.emojis.get(call.number("emoji_id"))
    if found is None:
        raise errors.unknown_emoji()
    return found


def create(call: Call) -> JsonObject:
    call.own_application()
    form = call.form()
    name = _name(form)
    picture = _picture(form)
    form.faults.check()
    emojis = call.backend.world.application.emojis
    if len(emojis) >= MOST_EMOJIS:
        raise errors.too_many_emojis(MOST_EMOJIS)
    new_id = call.backend.world.snowflakes.next()
    made = payloads.emoji(new_id, name, call.bot, animated=picture.content_type == "image/gif")
    emojis[new_id] = made
    call.backend.attachments.emojis[new_id] = picture
    call.status = 201
    return made


def change(call: Call) -> JsonObject:
    """A new name; the picture stays."""
    found = emoji(call)
    form = call.form()
    name = _name(form)
    form.faults.check()
    found["name"] = name
    return found


def delete(call: Call) -> None:
    found = emoji(call)
    del call.backend.world.application.emojis[int(found["id"])]
    call.backend.attachments.emojis.pop(int(found["id"]), None)


def _name(form: Form) -> str:
    name = form.text("name", 2, 32, required=True)
    if name is not None and not _NAME.fullmatch(name):
        form.fault("name", "STRING_TYPE_REGEX", "String value did not match validation regex.")
    return name or ""


def _picture(form: Form) -> StoredFile:
    raw = form.text("image", 1, 2**31, required=True)
    found = _PICTURE.fullmatch(raw or "")
    if raw is None or found is None:
        if raw is not None:
            form.fault("image", "IMAGE_INVALID", "Invalid image data")
        return StoredFile("", b"")
    try:
        content = b64decode(found[2], validate=True)
    except Base64Error:
        form.fault("image", "IMAGE_INVALID", "Invalid image data")
        return StoredFile("", b"")
    if len(content) > MOST_BYTES:
        form.fault("image", "BINARY_TYPE_MAX_SIZE", "File cannot be larger than 256.0 kb.")
    return StoredFile(found[1], content)
