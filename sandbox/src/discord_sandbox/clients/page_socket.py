"""The socket of one open page: a person's client behind a WebSocket of small JSON frames.

Server to client: hello, bot, server, server_gone, history, message, message_update, message_delete, typing,
commands, choices, modal, done, error. Client to server: open, locale, slash, context_menu, autocomplete,
press, select, modal, dismiss, say, typing. An act's frame carries a nonce, which its `done` repeats; a file in it
is `{"filename": …, "base64": …}`.
"""

from __future__ import annotations

import asyncio
import binascii
import contextlib
from base64 import b64decode
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from aiohttp import WSMsgType, web

from discord_sandbox.clients.page_payloads import channel_payload, person_payload, server_payload
from discord_sandbox.clients.reply import Reply
from discord_sandbox.clients.resolved_data import File, Refused
from discord_sandbox.clients.user_client import UserClient
from discord_sandbox.gateway.gateway import DIRECT_MESSAGES
from discord_sandbox.model import wire
from discord_sandbox.model.errors import ApiError
from discord_sandbox.model.feed import Event
from discord_sandbox.model.state import Channel, ChannelType, Message, User
from discord_sandbox.model.wire import JsonObject
from discord_sandbox.service.backend import Backend
from discord_sandbox.validation.command_form import LOCALES

_FRAMES = {"MESSAGE_CREATE": "message", "MESSAGE_UPDATE": "message_update"}
_OF_SERVERS = ("THREAD_", "CHANNEL_", "GUILD_MEMBER_", "GUILD_ROLE_", "GUILD_SCHEDULED_EVENT_")
"""The prefixes of events that change what a person sees of a server."""


class PageSocket:
    """One open page: a person's client behind a WebSocket."""

    def __init__(self, backend: Backend, user: User, socket: web.WebSocketResponse) -> None:
        self._backend = backend
        self._client = UserClient(backend, user)
        self._socket = socket
        self._out: asyncio.Queue[bytes] = asyncio.Queue()
        self._acts: set[asyncio.Task[None]] = set()
        self._changed: set[int] = set()

    async def close(self) -> None:
        """End the socket from this side."""
        await self._socket.close()

    async def run(self) -> None:
        """Serve the page until it closes the socket."""
        stop_listening = self._backend.feed.listen(self._hear)
        writer = asyncio.create_task(self._write())
        try:
            self._send(self._hello())
            async for frame in self._socket:
                if frame.type == WSMsgType.TEXT:
                    self._receive(frame.data)
        finally:
            stop_listening()
            for task in (writer, *self._acts):
                task.cancel()
            for task in (writer, *self._acts):
                with contextlib.suppress(asyncio.CancelledError):
                    await task

    async def _write(self) -> None:
        while True:
            payload = await self._out.get()
            try:
                await self._socket.send_str(payload.decode())
            except (ConnectionError, RuntimeError):
                return  # the page is closed

    def _send(self, frame: JsonObject) -> None:
        self._out.put_nowait(wire.write(frame))

    def _hello(self) -> JsonObject:
        return {
            "t": "hello",
            "person": {**person_payload(self._client.user), "locale": self._client.user.locale},
            "bot": self._bot(self._backend.gateway.attendance()),
            "servers": [server_payload(self._client, each) for each in self._client.servers()],
            "direct": self._direct(),
            "chats": [self._chat(each) for each in self._client.chats()],
            "examples": self._backend.world.application.examples,
            "locales": sorted(LOCALES),
        }

    def _bot(self, attendance: JsonObject) -> JsonObject:
        """Whether the bot is there, and where it is not, of the places that the person may know."""
        known = {DIRECT_MESSAGES, *(str(each.id) for each in self._client.servers())}
        return {**attendance, "away": [each for each in attendance["away"] if each in known]}

    def _direct(self) -> JsonObject:
        direct = self._backend.world.direct_channel(self._client.user)
        name = self._backend.world.application.name
        return {**channel_payload(direct), "name": name, "commands": self._client.commands(direct)}

    def _chat(self, chat: Channel) -> JsonObject:
        name = chat.name
        if chat.kind == ChannelType.DIRECT:
            name = next(each.shown_name for each in chat.recipients if each.id != self._client.user.id)
        members = [person_payload(each) for each in chat.recipients]
        return {**channel_payload(chat), "name": name, "members": members}

    def _hear(self, event: Event) -> None:
        if event.name in _FRAMES or event.name == "MESSAGE_DELETE":
            self._hear_of_message(event)
        elif event.name == "MESSAGE_DELETE_BULK":
            for each in event.data["ids"] if self._sees(event) else ():
                self._send({"t": "message_delete", "id": each, "channel_id": event.data["channel_id"]})
        elif event.name == "TYPING_START":
            if event.data["user_id"] != str(self._client.user.id) and self._sees(event):
                self._send({"t": "typing", **{key: event.data[key] for key in ("channel_id", "user_id")}})
        elif event.name == "SANDBOX_BOT":
            self._send({"t": "bot", "bot": self._bot(event.data)})
        elif event.name == "SANDBOX_COMMANDS":
            server = self._backend.world.servers.get(event.server_id or 0)
            if server is not None and server in self._client.servers():
                offered = server_payload(self._client, server)["commands"]
                self._send({"t": "commands", "server_id": str(server.id), "commands": offered})
        elif event.name.startswith(_OF_SERVERS) and event.server_id is not None:
            if not self._changed:
                asyncio.get_running_loop().call_soon(self._tell_changes)  # once for all changes that happen together
            self._changed.add(event.server_id)

    def _hear_of_message(self, event: Event) -> None:
        message, client = event.message, self._client
        if message is None or event.reader not in (None, client.user.id) or not client.sees_channel(message.channel):
            return
        if event.name == "MESSAGE_DELETE":
            self._send({"t": "message_delete", "id": event.data["id"], "channel_id": event.data["channel_id"]})
        else:
            self._send({"t": _FRAMES[event.name], "message": event.data})

    def _sees(self, event: Event) -> bool:
        channel = self._backend.world.channels.get(event.channel_id or 0)
        return channel is not None and self._client.sees_channel(channel)

    def _tell_changes(self) -> None:
        changed, self._changed = self._changed, set()
        for server_id in changed:
            server = self._backend.world.servers.get(server_id)
            if server is not None and server in self._client.servers():
                self._send({"t": "server", "server": server_payload(self._client, server)})
            else:
                self._send({"t": "server_gone", "id": str(server_id)})

    def _receive(self, raw: str) -> None:
        try:
            frame = wire.read(raw)
        except ValueError:
            frame = None
        if not isinstance(frame, dict):
            self._send({"t": "error", "message": "a frame is a JSON object"})
            return
        task = asyncio.create_task(self._act(frame))
        self._acts.add(task)
        task.add_done_callback(self._acts.discard)

    async def _act(self, frame: JsonObject) -> None:
        nonce, op = frame.get("nonce"), frame.get("op")
        act = _ACTS.get(op) if isinstance(op, str) else None
        if act is None:
            self._send({"t": "error", "nonce": nonce, "message": f"unknown op {op!r}"})
            return
        try:
            await act(self, frame)
        except (Refused, ApiError) as refusal:
            reason = str(refusal)
        except (LookupError, TypeError, ValueError, AttributeError):
            reason = "the frame is malformed"
        else:
            return
        if nonce is None:
            self._send({"t": "error", "nonce": None, "message": reason})
        else:
            self._send({"t": "done", "nonce": nonce, "ok": False, "reason": reason})

    # What a client may ask, each op with its own method.

    def _channel(self, frame: JsonObject) -> Channel:
        channel = self._backend.world.channels.get(int(frame["channel_id"]))
        if channel is None or not self._client.sees_channel(channel):
            raise Refused("you do not see this channel")
        return channel

    def _message(self, frame: JsonObject) -> Message:
        message = self._backend.world.message(int(frame["message_id"]))
        if message is None or not self._client.sees(message):
            raise Refused("this message is gone")
        return message

    def _done(self, frame: JsonObject, reply: Reply | None = None) -> None:
        if reply is not None and reply.modal_or_none is not None:
            self._send({"t": "modal", "nonce": frame.get("nonce"), "modal": reply.modal_or_none.raw})
        done: JsonObject = {"t": "done", "nonce": frame.get("nonce"), "ok": reply is None or not reply.failed}
        if reply is not None and reply.failed:
            done["reason"] = reply.reason
        self._send(done)

    async def open(self, frame: JsonObject) -> None:
        channel = self._channel(frame)
        messages = [view.raw for view in self._client.messages(channel)]
        commands = self._client.commands(channel)
        self._send({"t": "history", "channel_id": str(channel.id), "messages": messages, "commands": commands})

    async def locale(self, frame: JsonObject) -> None:
        if frame["locale"] not in LOCALES:
            raise Refused("this is no locale of Discord's")
        self._client.user.locale = frame["locale"]
        self._done(frame)

    async def slash(self, frame: JsonObject) -> None:
        channel, given = self._channel(frame), _options(frame)
        self._done(frame, await self._client.slash(channel, frame["name"], _path(frame), given))

    async def context_menu(self, frame: JsonObject) -> None:
        channel = self._channel(frame)
        if "message_id" in frame:
            self._done(frame, await self._client.context_menu(channel, frame["name"], self._message(frame)))
            return
        target = self._backend.world.users.get(int(frame["target_id"]))
        if target is None:
            raise Refused("there is no such person")
        self._done(frame, await self._client.context_menu(channel, frame["name"], target))

    async def autocomplete(self, frame: JsonObject) -> None:
        reply = await self._client.autocomplete(
            self._channel(frame),
            frame["name"],
            _path(frame),
            _options(frame),
            focused=frame["focused"],
            value=str(frame.get("value", "")),
        )
        self._send({"t": "choices", "nonce": frame.get("nonce"), "choices": list(reply.choices)})

    async def press(self, frame: JsonObject) -> None:
        self._done(frame, await self._client.press(self._message(frame), frame["custom_id"]))

    async def select(self, frame: JsonObject) -> None:
        values = [str(each) for each in frame["values"]]
        self._done(frame, await self._client.select(self._message(frame), frame["custom_id"], values))

    async def modal(self, frame: JsonObject) -> None:
        values = {name: _with_files(each) for name, each in frame["values"].items()}
        self._done(frame, await self._client.submit(int(frame["modal_id"]), values))

    async def dismiss(self, frame: JsonObject) -> None:
        self._client.dismiss(self._message(frame))
        self._done(frame)

    async def say(self, frame: JsonObject) -> None:
        self._client.say(self._channel(frame), str(frame["content"]))
        self._done(frame)

    async def typing(self, frame: JsonObject) -> None:
        self._client.type(self._channel(frame))


_ACTS: Mapping[str, Callable[[PageSocket, JsonObject], Awaitable[None]]] = {
    "open": PageSocket.open,
    "locale": PageSocket.locale,
    "slash": PageSocket.slash,
    "context_menu": PageSocket.context_menu,
    "autocomplete": PageSocket.autocomplete,
    "press": PageSocket.press,
    "select": PageSocket.select,
    "modal": PageSocket.modal,
    "dismiss": PageSocket.dismiss,
    "say": PageSocket.say,
    "typing": PageSocket.typing,
}


def _path(frame: JsonObject) -> list[str]:
    return [str(each) for each in frame.get("path") or ()]


def _options(frame: JsonObject) -> dict[str, object]:
    return {name: _with_files(each) for name, each in (frame.get("options") or {}).items()}


def _with_files(value: Any) -> Any:  # any content; the receiver checks it
    """A value with base64 replaced by files."""
    if isinstance(value, list):
        return [_with_files(each) for each in value]
    if not isinstance(value, dict):
        return value
    try:
        return File(str(value["filename"]), b64decode(value["base64"], validate=True))
    except binascii.Error:
        raise Refused("the file did not arrive whole") from None
