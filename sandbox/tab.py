"""One tab of the page: a person's client behind a WebSocket of small JSON frames.

Server to client: hello, history, message, message_update, message_delete, commands, choices, modal,
done, error. Client to server: open, slash, context_menu, autocomplete, press, select, modal,
dismiss, say. An act's frame carries a nonce, which its `done` repeats.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Mapping

from aiohttp import WSMsgType, web

from sandbox import wire
from sandbox.backend import Backend
from sandbox.errors import ApiError
from sandbox.feed import Event
from sandbox.people import Client
from sandbox.reply import Reply
from sandbox.resolved import Refused
from sandbox.state import Channel, Message, Server, User
from sandbox.wire import JsonObject

_FRAMES = {"MESSAGE_CREATE": "message", "MESSAGE_UPDATE": "message_update"}


class Tab:
    """One tab: a person's client behind a socket."""

    def __init__(self, backend: Backend, user: User, socket: web.WebSocketResponse) -> None:
        self._backend = backend
        self._client = Client(backend, user)
        self._socket = socket
        self._out: asyncio.Queue[bytes] = asyncio.Queue()
        self._acts: set[asyncio.Task[None]] = set()

    async def close(self) -> None:
        """End the socket from this side."""
        await self._socket.close()

    async def run(self) -> None:
        """Serve the tab to its end."""
        deaf = self._backend.feed.listen(self._hear)
        writer = asyncio.create_task(self._write())
        try:
            self._send(self._hello())
            async for frame in self._socket:
                if frame.type == WSMsgType.TEXT:
                    self._receive(frame.data)
        finally:
            deaf()
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
                return  # the tab is gone

    def _send(self, frame: JsonObject) -> None:
        self._out.put_nowait(wire.write(frame))

    def _hello(self) -> JsonObject:
        return {
            "t": "hello",
            "person": person_shape(self._client.user),
            "servers": [self._server(each) for each in self._client.servers()],
            "direct": self._direct(),
        }

    def _direct(self) -> JsonObject:
        direct = self._backend.world.direct_channel(self._client.user)
        name = self._backend.world.application.name
        return {**channel_shape(direct), "name": name, "commands": self._client.commands(direct)}

    def _server(self, server: Server) -> JsonObject:
        channels = self._client.channels(server)
        return {
            "id": str(server.id),
            "name": server.name,
            "channels": [channel_shape(each) for each in channels],
            "members": [person_shape(each.user) for each in server.members.values()],
            "commands": self._client.commands(channels[0]) if channels else [],
        }

    def _hear(self, event: Event) -> None:
        client = self._client
        if event.name in _FRAMES or event.name == "MESSAGE_DELETE":
            message = event.message
            if message is None or event.reader not in (None, client.user.id):
                return
            if not client.sees_channel(message.channel):
                return
            if event.name == "MESSAGE_DELETE":
                self._send({"t": "message_delete", "id": event.data["id"], "channel_id": event.data["channel_id"]})
            else:
                self._send({"t": _FRAMES[event.name], "message": event.data})
        elif event.name == "SANDBOX_COMMANDS":
            server = self._backend.world.servers.get(event.server_id or 0)
            if server is not None and server in client.servers():
                offered = self._server(server)["commands"]
                self._send({"t": "commands", "server_id": str(server.id), "commands": offered})

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
        self._send({"t": "history", "channel_id": str(channel.id), "messages": messages})

    async def slash(self, frame: JsonObject) -> None:
        channel, given = self._channel(frame), _options(frame)
        self._done(frame, await self._client.slash(channel, frame["name"], _path(frame), given))

    async def context_menu(self, frame: JsonObject) -> None:
        target = self._backend.world.users.get(int(frame["target_id"]))
        if target is None:
            raise Refused("there is no such person")
        self._done(frame, await self._client.context_menu(self._channel(frame), frame["name"], target))

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
        self._done(frame, await self._client.submit(int(frame["modal_id"]), dict(frame["values"])))

    async def dismiss(self, frame: JsonObject) -> None:
        self._client.dismiss(self._message(frame))
        self._done(frame)

    async def say(self, frame: JsonObject) -> None:
        self._client.say(self._channel(frame), str(frame["content"]))
        self._done(frame)


_ACTS: Mapping[str, Callable[[Tab, JsonObject], Awaitable[None]]] = {
    "open": Tab.open,
    "slash": Tab.slash,
    "context_menu": Tab.context_menu,
    "autocomplete": Tab.autocomplete,
    "press": Tab.press,
    "select": Tab.select,
    "modal": Tab.modal,
    "dismiss": Tab.dismiss,
    "say": Tab.say,
}


def person_shape(user: User) -> JsonObject:
    """A person, as the page lists them."""
    return {
        "id": str(user.id),
        "username": user.username,
        "global_name": user.global_name,
        "avatar_color": user.avatar_color,
        "bot": user.bot,
    }


def channel_shape(channel: Channel) -> JsonObject:
    """A channel, as the page lists it."""
    return {"id": str(channel.id), "name": channel.name, "type": int(channel.kind)}


def _path(frame: JsonObject) -> list[str]:
    return [str(each) for each in frame.get("path") or ()]


def _options(frame: JsonObject) -> dict[str, object]:
    return dict(frame.get("options") or {})
