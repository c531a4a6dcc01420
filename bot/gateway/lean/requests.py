"""Answers and edits by an interaction's token, past the library as long as Discord takes them.

Most of what the library (2.7) does for such a request is for cases that are rare: files, limits, failures, messages
that are read again. So what carries finished components alone is sent from here, in one step. Discord's reply is
looked at once. If it is anything but a plain success, the library's adapter is asked to make the same request, and
gets that reply to its first try. So 429, 4xx and 5xx are treated as by the adapter alone, and nothing is sent twice
(decision 32).
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from io import BytesIO
from secrets import token_hex
from typing import Any, Final, NamedTuple, Protocol, TypeAlias
from urllib.parse import quote, urlencode

import aiohttp
import orjson
from discord import AllowedMentions, File, Interaction, InteractionResponseType, Webhook
from discord.http import Route
from discord.webhook.async_ import async_context

from bot.gateway.lean.session import LeanSession, Reply
from bot.gateway.requests import CALLBACK, NoEcho

_ORIGINAL: Final = "/webhooks/{webhook_id}/{webhook_token}/messages/@original"
"""The message that answers an interaction, in Discord's addresses."""
_WITH_COMPONENTS: Final = {"with_components": 1}
"""What the library adds to that address for a message with components."""
_QUERY: Final = f"?{urlencode(_WITH_COMPONENTS)}"
_COMPONENTS_V2: Final = 1 << 15
_EPHEMERAL: Final = 1 << 6
_UNQUOTED: Final = re.compile(r"[A-Za-z0-9_.~=-]+")
"""A token that is the same in an address, as the library's session writes it."""
_EXHAUSTED: Final = "0"

Bucket: TypeAlias = tuple[Any, Any]
"""What the library keeps in order: an id and a token."""
LeanSessionFor: TypeAlias = Callable[[aiohttp.ClientSession], LeanSession | None]
"""What sends over the connections of the library's session, or None if only the session may."""
Wrap: TypeAlias = Callable[[Any], Any]


class Picture(NamedTuple):
    """The PNG file that a message shows: its name and its content."""

    name: str
    content: bytes


class Finished(Protocol):
    """A message's finished components."""

    @property
    def picture(self) -> bytes:
        """The PNG file that they show; empty for none."""

    @property
    def picture_name(self) -> str:
        """What that file is called."""

    def json(self) -> bytes:
        """The components as JSON."""


class DirectAdapter(NoEcho):
    """The library's adapter for interactions, with a shorter way for requests that Discord takes at once."""

    def __init__(self, lean_session: LeanSessionFor) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # the library's constructor has no types
        self._lean_session = lean_session
        self._sending: dict[Bucket, asyncio.Future[None]] = {}

    async def request(self, route: Route, session: aiohttp.ClientSession, **more: Any) -> Any:
        """As the library does, after what is being sent directly with the same token."""
        while sending := self._sending.get((route.webhook_id, route.webhook_token)):
            await asyncio.wait((sending,))
        return await super().request(route, session, **more)

    async def send(
        self,
        method: str,
        path: str,
        bucket: Bucket,
        body: bytes,
        session: aiohttp.ClientSession,
        *,
        picture: Picture | None = None,
        with_components: bool = False,
        wrap: Wrap = lambda session: session,
    ) -> bool:
        """Make a request whose reply's content doesn't matter. Returns False if nothing was sent.

        `path` is one of the library's templates, whose fields are the `bucket`; `body` is JSON, and the `picture` is
        the file that it shows. `with_components` is what the library adds to the query of some. If Discord doesn't take
        it, the library makes the request, with the reply that came, over what `wrap` makes of the session. Raises what
        the library does, and aiohttp.ClientError and OSError.
        """
        lean, (webhook_id, token) = self._lean_session(session), bucket
        if lean is None or bucket in self._sending or bucket in self._locks:
            return False
        written = token if _UNQUOTED.fullmatch(token) else quote(token, safe="=")
        address = path.format(webhook_id=webhook_id, webhook_token=written)
        if with_components:
            address += _QUERY
        sending = self._sending[bucket] = asyncio.get_running_loop().create_future()
        try:
            reply = await lean.send(method, address, *(_with_file(body, picture) if picture else (body,)))
        finally:
            del self._sending[bucket]
            sending.set_result(None)
        if reply is None:
            return False
        if 200 <= reply.status < 300 and reply.headers.get("X-RateLimit-Remaining") != _EXHAUSTED:
            return True
        route = Route(method, path, webhook_id=webhook_id, webhook_token=token)
        begun: Any = wrap(_Begun(reply, session))
        params = _WITH_COMPONENTS if with_components else None
        content: dict[str, Any] = {"payload": orjson.loads(body)}
        if picture:
            file = File(BytesIO(picture.content), picture.name)
            content = {"multipart": _parts(body, file), "files": [file]}
        await super().request(route, begun, params=params, **content)
        return True


def _picture_of(made: Finished) -> Picture | None:
    return Picture(made.picture_name, made.picture) if made.picture else None


def _with_file(body: bytes, picture: Picture) -> tuple[bytes, str]:
    """JSON and a picture as one text, and what kind of text it is (RFC 7578)."""
    boundary = token_hex(16)
    head = f'--{boundary}\r\nContent-Disposition: form-data; name="payload_json"\r\n\r\n'
    between = (
        f'\r\n--{boundary}\r\nContent-Disposition: form-data; name="files[0]"; filename="{picture.name}"\r\n'
        "Content-Type: image/png\r\n\r\n"
    )
    text = b"".join((head.encode(), body, between.encode(), picture.content, f"\r\n--{boundary}--\r\n".encode()))
    return text, f"multipart/form-data; boundary={boundary}"


def _parts(body: bytes, file: File) -> list[dict[str, Any]]:
    """The same as the library takes it."""
    named = {"name": "files[0]", "value": file.fp, "filename": file.filename, "content_type": "image/png"}
    return [{"name": "payload_json", "value": body.decode()}, named]


class _Begun:
    """A stand-in for the library's session: it gives Discord's reply to its first request, which was sent leanly, and
    sends all later ones itself."""

    def __init__(self, reply: Reply, session: aiohttp.ClientSession) -> None:
        self._reply: Reply | None = reply
        self._session = session

    @asynccontextmanager
    async def request(self, method: str, url: str, **options: Any) -> AsyncIterator[Any]:
        """As `aiohttp.ClientSession.request`."""
        reply, self._reply = self._reply, None
        if reply is not None:
            yield reply
            return
        async with self._session.request(method, url, **options) as response:
            yield response


async def answer(interaction: Interaction[Any], made: Finished, *, ephemeral: bool) -> bool:
    """Answer with finished components: in a new private message, or in the message that was pressed. Returns False if
    nothing was sent and the library has to do it; raises as it does."""
    adapter = async_context.get()
    if not isinstance(adapter, DirectAdapter):
        return False
    kind, flags = InteractionResponseType.message_update, _COMPONENTS_V2
    if ephemeral:
        kind, flags = InteractionResponseType.channel_message, _COMPONENTS_V2 | _EPHEMERAL
    picture = _picture_of(made)
    data: dict[str, Any] = {"tts": False, "components": orjson.Fragment(made.json()), "flags": flags}
    if picture:
        data["attachments"] = [{"id": 0, "filename": picture.name}]
    mentions: AllowedMentions | None = interaction._state.allowed_mentions
    if mentions is not None:
        data["allowed_mentions"] = mentions.to_dict()
    body = orjson.dumps({"type": kind.value, "data": data})
    bucket = interaction.id, interaction.token
    return await adapter.send("POST", CALLBACK, bucket, body, interaction._session, picture=picture)


async def edit(
    webhook: Webhook,
    made: Finished,
    *,
    mentions: AllowedMentions | None = None,
    wrap: Wrap = lambda session: session,
) -> bool:
    """Replace the message that answers the interaction of a `webhook`'s token. Returns and raises as `answer`.

    `wrap` is as for `DirectAdapter.send`.
    """
    adapter = async_context.get()
    if not isinstance(adapter, DirectAdapter):
        return False
    picture = _picture_of(made)
    data = {
        "attachments": [{"id": 0, "filename": picture.name}] if picture else [],  # no other file stays
        "components": orjson.Fragment(made.json()),
        "tts": False,
        "flags": _COMPONENTS_V2,
    }
    if mentions is not None:
        data["allowed_mentions"] = mentions.to_dict()
    bucket = webhook.id, webhook.token
    body = orjson.dumps(data)
    return await adapter.send(
        "PATCH", _ORIGINAL, bucket, body, webhook.session, picture=picture, with_components=True, wrap=wrap
    )


def install(lean_session: LeanSessionFor) -> None:
    """In the current task, and in tasks that it starts, send over what `lean_session` returns for the library's session
    where that is enough, and request no echoes."""
    async_context.set(DirectAdapter(lean_session))
