"""Records what happens at Discord: what people press, what they are answered, and how messages change."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from typing import Any, Final

from aiohttp import web

from sandbox import Sandbox
from sandbox.api.middleware import Answer as HttpAnswer
from sandbox.api.middleware import RequestPipeline
from sandbox.model import wire
from sandbox.model.feed import Event
from sandbox.service.interactions import FirstResponse, Interaction, InteractionType
from sandbox.validation.attachments import Upload
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
from tests.simulation.patches import Patches

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
        self._by_token: dict[str, int] = {}

    def listen(self, sandbox: Sandbox, patches: Patches) -> None:
        """Begin to record."""
        sandbox.backend.feed.listen(self._hear)
        self._hear_presses(sandbox, patches)
        self._hear_answers(patches)

    # ------------------------------------------------------------------------------------ presses

    def _hear_presses(self, sandbox: Sandbox, patches: Patches) -> None:
        interactions = sandbox.backend.interactions
        open_interaction = interactions.open

        def open_and_record(kind: InteractionType, *args: Any, **options: Any) -> Interaction:
            interaction = open_interaction(kind, *args, **options)
            self._opened(interaction, args[2] if len(args) > 2 else options["data"])
            return interaction

        patches.set(interactions, "open", open_and_record)

    def _opened(self, interaction: Interaction, data: dict[str, Any]) -> None:
        self._by_token[interaction.token] = interaction.id
        source = interaction.source
        self._record.add(
            Press(
                interaction.id,
                self._kernel.now,
                interaction.user.id,
                data.get("custom_id", ""),
                0 if source is None else source.id,
                interaction.channel.id,
                tuple(map(str, data.get("values", ()))),
                interaction.command_name or "",
            )
        )

        def decided(first: asyncio.Future[FirstResponse | None]) -> None:
            if not first.cancelled() and first.result() is None:
                self._record.add(Failed(interaction.id, self._kernel.now))

        interaction.first.add_done_callback(decided)

    # ------------------------------------------------------------------------------------ answers

    def _hear_answers(self, patches: Patches) -> None:
        real = RequestPipeline.answer

        def answer(
            pipeline: RequestPipeline, request: web.Request, raw: bytes, uploads: Mapping[int, Upload]
        ) -> HttpAnswer:
            asked = self._asked(request.method, request.path, raw)
            self._author, self._press = ("bot", 0) if asked is None else ("interaction", asked[0])
            try:
                result = real(pipeline, request, raw, uploads)
            finally:
                self._author, self._press = "people", 0
            if asked is not None:
                press, kind, payload, message = asked
                self._record.add(Answer(press, self._kernel.now, kind, payload, result.status, message))
            return result

        patches.set(RequestPipeline, "answer", answer)

    def _asked(self, method: str, path: str, raw: bytes) -> tuple[int, AnswerKind, dict[str, Any], str] | None:
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
        body = wire.read(raw) if raw else {}
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}
