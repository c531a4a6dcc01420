"""The key by which a deleted person is recognised if they come back: an HMAC of server and user, and nothing else.

The key is in a file of its own, in neither the database nor its backups. Without it nobody can tell from the database
whose hash a hash is: the ids of Discord's users are few enough to try them all.
"""

from __future__ import annotations

import hashlib
import hmac
import logging
import os
import secrets
from pathlib import Path
from typing import Final

from bot.private_files import sync

FILE_NAME: Final = "person-key"
"""What the file is called in the data folder."""

_BYTES = 32
_PURPOSE = b"cardroom/person/v1"

_log = logging.getLogger(__name__)


class PersonKey:
    """A key in a file, which is written when it is first needed: 64 hexadecimal digits, readable only by its owner.

    If the file can't be read or written, there is no key, and the log says so once. Nothing that a player does fails
    because of it.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._key: bytes | None = None
        self._warned = False

    def digest(self, guild_id: int, user_id: int, *, create: bool = False) -> bytes | None:
        """The hash of a person in a server, 32 bytes; None without a key. `create` writes one if there is no file."""
        if self._key is None:
            self._key = self._load(create=create)
        if self._key is None:
            return None
        return hmac.digest(self._key, b"\x00".join((_PURPOSE, b"%d" % guild_id, b"%d" % user_id)), hashlib.sha256)

    def _load(self, *, create: bool) -> bytes | None:
        try:
            if create and not self._path.exists():
                self._write()
            if not self._path.exists():
                return None
            key = bytes.fromhex(self._path.read_text("ascii"))
        except (OSError, ValueError) as error:
            self._warn(type(error).__name__)
            return None
        if len(key) != _BYTES:
            self._warn("it is not 64 hexadecimal digits")
            return None
        return key

    def _write(self) -> None:
        """Write a new key, unless another process is faster: then its key is all processes' key."""
        key = secrets.token_bytes(_BYTES)
        new = self._path.with_name(f"{self._path.name}.{secrets.token_hex(4)}.unfinished")
        try:
            with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600), "w") as file:
                file.write(f"{key.hex()}\n")
            sync(new)
            _give_name(new, self._path)
            sync(self._path.parent)
        finally:
            new.unlink(missing_ok=True)

    def _warn(self, why: str) -> None:
        if not self._warned:
            _log.warning("the key file %s can't be used (%s): no rating is held for anybody", self._path, why)
            self._warned = True


def _give_name(new: Path, path: Path) -> None:
    """Have a file under a name, unless there is one by now. Raises OSError."""
    try:
        os.link(new, path)
    except FileExistsError:
        return
    except OSError:  # not every file system gives a file two names
        new.replace(path)
