"""Files uploaded with a message, kept in memory and served back.

Source: Discord's developer documentation, "Uploading Files": 10 MiB per file by default.
"""

from __future__ import annotations

import mimetypes
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass

from discord_sandbox.model import errors, snowflake
from discord_sandbox.model.state import World
from discord_sandbox.model.wire import JsonObject
from discord_sandbox.validation import image_size
from discord_sandbox.validation.forms import Form

MOST_BYTES = 10 * 1024 * 1024
MOST_FILES = 10
SIGNATURE = "hm"
"""The name of the part of a file's address that opens it."""
_SIGNATURE_BYTES = 16


@dataclass(frozen=True, slots=True)
class Upload:
    """One file of a multipart request, by its index in the form."""

    index: int
    filename: str
    content: bytes


@dataclass(frozen=True, slots=True)
class StoredFile:
    """One uploaded file, as it is served back. `signature` is the part of its address that nobody can guess."""

    content_type: str
    content: bytes
    signature: str = ""


class Attachments:
    """The files of all messages. `origin` is where the sandbox serves them, e.g. http://127.0.0.1:8787."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.origin = ""
        self.files: dict[int, StoredFile] = {}
        self.emojis: dict[int, StoredFile] = {}  # pictures of the application's own emojis

    def read(
        self, form: Form, uploads: Mapping[int, Upload], kept: list[JsonObject], *, store: bool = True
    ) -> list[JsonObject]:
        """The attachment objects of a message: those of `kept` that the form still names, and new ones.

        A form without `attachments` keeps all; without `store` nothing new is kept. Raises ApiError
        40005 for files that are too large.
        """
        named = form.value.get("attachments")
        if named is None and not uploads:
            return kept
        described: dict[int, JsonObject] = {}
        if named is not None:
            survivors: list[JsonObject] = []
            by_id = {each["id"]: each for each in kept}
            for each in form.forms("attachments", 0, MOST_FILES):
                raw_id = str(each.value.get("id"))
                if raw_id in by_id:
                    survivors.append(by_id[raw_id])
                elif snowflake.parsed(raw_id) is not None and int(raw_id) in uploads:
                    each.text("description", 0, 1024)
                    described[int(raw_id)] = each.value
                else:
                    each.fault("id", "ATTACHMENT_NOT_FOUND", "The attachment was not found")
            kept = survivors
        if len(kept) + len(uploads) > MOST_FILES:
            form.fault("attachments", "BASE_TYPE_MAX_LENGTH", f"Must be {MOST_FILES} or fewer in length.")
            return kept
        if any(len(each.content) > MOST_BYTES for each in uploads.values()):
            raise errors.file_too_large()
        if not store:
            return kept
        return kept + [self.store(each, described.get(each.index, {})) for each in uploads.values()]

    def store(self, upload: Upload, described: JsonObject) -> JsonObject:
        """Keep one file; return its attachment object, named and described as `described` says."""
        name = re.sub(r"[^\w.\-]", "_", str(described.get("filename") or upload.filename))
        kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
        new_id = self._world.snowflakes.next()
        signature = secrets.token_hex(_SIGNATURE_BYTES)
        self.files[new_id] = StoredFile(kind, upload.content, signature)
        url = f"{self.origin}/attachments/{new_id}/{name}?{SIGNATURE}={signature}"
        data: JsonObject = {
            "id": str(new_id),
            "filename": name,
            "size": len(upload.content),
            "url": url,
            "proxy_url": url,
            "content_type": kind,
        }
        size = image_size.size(upload.content)
        if size is not None:
            data["width"], data["height"] = size
        if described.get("description"):
            data["description"] = described["description"]
        return data
