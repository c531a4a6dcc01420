"""Keeps what a sandbox remembers between runs: the messages that everybody in a channel saw, and the application's
emojis, which these messages name.

Private answers are not kept, because Discord's clients forget them at a restart too. The bot announces its commands.
The file is a JSON object with channels by id, each a list of messages, oldest first, and their files in base64, and
the emojis, those of the world's own description too.
"""

from __future__ import annotations

import asyncio
from base64 import b64decode, b64encode
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from itertools import islice
from pathlib import Path

from discord_sandbox.model import payloads, wire
from discord_sandbox.model.state import Channel, Message, MessageFlag
from discord_sandbox.model.wire import JsonObject
from discord_sandbox.service.backend import Backend
from discord_sandbox.validation.attachments import StoredFile

MOST_MESSAGES = 200
"""How many messages of each channel are kept."""

PAUSE = 2.0
"""Seconds between a change and its saving: a process that is killed loses no more."""


class StateFileError(ValueError):
    """A state file cannot be used; the text says why in one line."""


def restore(backend: Backend, path: Path) -> None:
    """Restore the kept messages; a missing file has none. Raises StateFileError."""
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        return
    except OSError as trouble:
        raise StateFileError(f"{path}: {trouble.strerror}") from None
    try:
        _restore(backend, wire.read(raw))
    except (ValueError, KeyError, TypeError, AttributeError):
        raise StateFileError(f"{path}: damaged; remove it to begin with empty channels") from None


def save(backend: Backend, path: Path) -> None:
    """Write the file completely or not at all. Raises StateFileError."""
    unfinished = path.with_name(f"{path.name}.new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished.write_bytes(wire.write(_kept(backend)))
        unfinished.replace(path)
    except OSError as trouble:
        raise StateFileError(f"{path}: not saved: {trouble.strerror}") from None


@asynccontextmanager
async def kept(backend: Backend, path: Path) -> AsyncIterator[None]:
    """Save soon after every change, and at the end. Raises StateFileError at the end, if that fails."""
    changed = asyncio.Event()

    async def keep() -> None:
        while True:
            await changed.wait()
            await asyncio.sleep(PAUSE)
            changed.clear()
            with suppress(StateFileError):  # the next change, or the end, tries again
                save(backend, path)

    leave = backend.feed.listen(lambda _: changed.set())
    keeping = asyncio.create_task(keep())
    try:
        yield
    finally:
        leave()
        keeping.cancel()
        with suppress(asyncio.CancelledError):
            await keeping
        save(backend, path)


def _kept(backend: Backend) -> JsonObject:
    channels: dict[str, list[JsonObject]] = {
        str(channel.id): [
            {
                "author": message.author.id,
                "data": message.data,
                "controls": message.controls,
                "reactions": message.reactions,
                "pinned_at": message.pinned_at,
            }
            for message in reversed(list(islice(_public(channel), MOST_MESSAGES)))
        ]
        for channel in backend.world.channels.values()
        if channel.server is not None
    }
    named = {
        int(attachment["id"])
        for messages in channels.values()
        for message in messages
        for attachment in message["data"].get("attachments", ())
    }
    files = {
        str(number): {
            "content_type": stored.content_type,
            "content": b64encode(stored.content).decode(),
            "signature": stored.signature,
        }
        for number, stored in backend.attachments.files.items()
        if number in named
    }
    return {"channels": channels, "files": files, "emojis": _kept_emojis(backend)}


def _kept_emojis(backend: Backend) -> list[JsonObject]:
    """The application's emojis with their pictures; those that a world's description names have none."""
    pictures = backend.attachments.emojis
    return [
        {
            "id": number,
            "name": emoji["name"],
            "animated": emoji["animated"],
            "content_type": pictures[number].content_type,
            "content": b64encode(pictures[number].content).decode(),
        }
        for number, emoji in backend.world.application.emojis.items()
        if number in pictures
    ]


def _public(channel: Channel) -> Iterator[Message]:
    """The channel's messages that all may see, the newest first."""
    for message in reversed(channel.messages.values()):
        if message.reader is None and not message.flags & MessageFlag.LOADING:
            yield message


def _restore(backend: Backend, kept: JsonObject) -> None:
    world = backend.world
    for channel_id, messages in kept["channels"].items():
        channel = world.channels.get(int(channel_id))
        if channel is None:  # the world file no longer has this channel
            continue
        for each in messages:
            author = world.users.get(each["author"])
            if author is None:
                continue
            message = Message(
                int(each["data"]["id"]),
                channel,
                author,
                each["data"],
                controls=each["controls"],
                reactions=each.get("reactions", {}),
                pinned_at=each.get("pinned_at"),
            )
            channel.messages[message.id] = message
            channel.last_message_id = message.id
    for each in kept.get("emojis", ()):  # there were none before
        emoji = payloads.emoji(each["id"], each["name"], world.application.bot, animated=each["animated"])
        world.application.emojis[each["id"]] = emoji
        backend.attachments.emojis[each["id"]] = StoredFile(each["content_type"], b64decode(each["content"]))
    for number, stored in kept["files"].items():
        content = b64decode(stored["content"])
        signature = stored.get("signature", "")  # there was none before; these files are in public messages
        backend.attachments.files[int(number)] = StoredFile(stored["content_type"], content, signature)
