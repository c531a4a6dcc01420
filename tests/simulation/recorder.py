"""Records what happens at Discord: what people press, what they are answered, and how messages change."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

import orjson

from discord_sandbox import Event, Opened, Sandbox
from tests.simulation.happenings import (
    Answer,
    AnswerKind,
    Author,
    Delete,
    Edit,
    Failed,
    Post,
    Press,
    Record,
)
from tests.simulation.kernel import Kernel

_CALLBACKS: Final[Mapping[int, AnswerKind]] = {
    4: "message",
    5: "deferred",
    6: "deferred_update",
    7: "update",
    8: "choices",
    9: "modal",
}
_WEBHOOK: Final[Mapping[str, AnswerKind]] = {"POST": "follow_up", "PATCH": "edit", "DELETE": "delete"}
_CHANGES: Final[Mapping[str, type[Post] | type[Edit] | type[Delete]]] = {
    "MESSAGE_CREATE": Post,
    "MESSAGE_UPDATE": Edit,
    "MESSAGE_DELETE": Delete,
}
_CALLBACK_PATH = re.compile(r"/interactions/(\d+)/[^/]+/callback")
_WEBHOOK_PATH = re.compile(r"/webhooks/\d+/([^/]+)(?:/messages/([^/]+))?")


class Recorder:
    """Listens to a sandbox. It records what took effect, whatever the bot got to know of it."""

    def __init__(self, kernel: Kernel, record: Record) -> None:
        self._kernel = kernel
        self._record = record
        self._author: Author = "people"
        self._press = 0
        self._answer: tuple[int, AnswerKind, dict[str, Any], str] | None = None
        self._by_token: dict[str, int] = {}

    def listen(self, sandbox: Sandbox) -> None:
        """Begin to record."""
        sandbox.listen(self._hear)
        sandbox.watch(self)

    # ------------------------------------------------------------------------------------ presses

    def opened(self, interaction: Opened) -> None:
        """Somebody has pressed or typed."""
        self._by_token[interaction.token] = interaction.id
        self._record.add(
            Press(
                interaction.id,
                self._kernel.now,
                interaction.user_id,
                interaction.data.get("custom_id", ""),
                interaction.message_id,
                interaction.channel_id,
                tuple(map(str, interaction.data.get("values", ()))),
                interaction.command,
                tuple(map(int, interaction.data.get("resolved", {}).get("users", {}))),
            )
        )

    def lapsed(self, interaction_id: int) -> None:
        """A press failed: it had no answer in time."""
        self._record.add(Failed(interaction_id, self._kernel.now))

    # ------------------------------------------------------------------------------------ answers

    def asked(self, method: str, path: str, raw: bytes) -> None:
        """A request of the bot takes effect: messages that change from here on are changed by it."""
        self._answer = self._read_answer(method, path, raw)
        self._author, self._press = ("bot", 0) if self._answer is None else ("interaction", self._answer[0])

    def answered(self, status: int) -> None:
        """It has taken effect, or was refused."""
        self._author, self._press = "people", 0
        if self._answer is not None:
            press, kind, payload, message = self._answer
            self._record.add(Answer(press, self._kernel.now, kind, payload, status, message))

    def _read_answer(self, method: str, path: str, raw: bytes) -> tuple[int, AnswerKind, dict[str, Any], str] | None:
        """What a request answers, how, with which message, and to which message; None if it answers nothing."""
        body: Any = None
        callback = _CALLBACK_PATH.search(path)
        if callback is not None:
            body = _read(raw)
            kind = _CALLBACKS.get(body.get("type", 0))
            return None if kind is None else (int(callback[1]), kind, body.get("data") or {}, "")
        webhook = _WEBHOOK_PATH.search(path)
        if webhook is None or method not in _WEBHOOK:
            return None
        return self._by_token.get(webhook[1], 0), _WEBHOOK[method], _read(raw), webhook[2] or ""

    # ------------------------------------------------------------------------------------ messages

    def _hear(self, event: Event) -> None:
        change, message = _CHANGES.get(event.name), event.message
        if change is None or message is None:
            return
        self._record.add(
            change(
                message.id,
                self._kernel.now,
                message.channel.id,
                message.reader,
                self._author,
                self._press,
                message.data,
            )
        )


def _read(raw: bytes) -> dict[str, Any]:
    try:
        body = orjson.loads(raw) if raw else {}
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}
