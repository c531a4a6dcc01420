"""Requests past the library's adapter: the same as its own, and its own again as soon as Discord doesn't take one."""

from __future__ import annotations

import asyncio
import email
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from types import SimpleNamespace
from typing import Any, cast

import aiohttp
import discord
import orjson
import pytest
from discord.http import handle_message_parameters
from discord.webhook.async_ import async_context, interaction_message_response_params

from bot.gateway.lean import requests as direct_requests
from bot.gateway.lean.requests import DirectAdapter
from bot.gateway.lean.session import LeanSession
from bot.gateway.requests import ServerFailed
from bot.ui.screen import Button, Press, Screen, Text
from cogs.screens.renderer import Sheet, sheet
from tests.bot.gateway.lean.test_session import CALLBACK, NO_CONTENT, TOKEN, Server, serving

NOBODY = discord.AllowedMentions.none()
MADE = sheet(Screen("Hand", (Text("●♣ „ü“"),), ((Button("Play", Press("a", 3, "play")),),)), "match")
JSON = b"Content-Type: application/json\r\n"


def reply(status: str, body: bytes = b"{}", more: bytes = b"") -> bytes:
    return b"HTTP/1.1 %b\r\n%b%bContent-Length: %d\r\n\r\n%b" % (status.encode(), JSON, more, len(body), body)


class Pressed:
    """An interaction as far as an answer needs it, and the library's own way of answering it."""

    def __init__(self, session: aiohttp.ClientSession) -> None:
        self.id, self.token = 7, TOKEN
        self.session = self._session = session
        self._state = SimpleNamespace(allowed_mentions=NOBODY)

    async def answer(self, *, ephemeral: bool = False, made: Sheet = MADE) -> bool:
        return await direct_requests.answer(cast("Any", self), made, ephemeral=ephemeral)

    async def by_library(self, *, ephemeral: bool, made: Sheet = MADE) -> None:
        flags = discord.MessageFlags(ephemeral=True) if ephemeral else discord.utils.MISSING
        files: Any = made.files() or discord.utils.MISSING
        params = interaction_message_response_params(
            type=4 if ephemeral else 7, flags=flags, view=made, files=files, previous_allowed_mentions=NOBODY
        )
        adapter = async_context.get()
        await adapter.create_interaction_response(7, TOKEN, session=self._session, params=params)


@asynccontextmanager
async def pressed(server: Server) -> AsyncIterator[Pressed]:
    before = async_context.get()
    async with aiohttp.ClientSession() as session:
        lean = LeanSession(session, server.address, "DiscordBot", None)
        direct_requests.install(lambda _: lean)
        try:
            yield Pressed(session)
        finally:
            async_context.set(before)


@pytest.fixture
def route_to(monkeypatch: pytest.MonkeyPatch) -> Any:
    def point(server: Server) -> None:
        monkeypatch.setattr(discord.http.Route, "BASE", server.address)

    return point


def bodies(server: Server) -> list[tuple[str, Any]]:
    return [(line, orjson.loads(body)) for line, _, body in server.requests]


@pytest.mark.parametrize("ephemeral", [False, True])
async def test_an_answer_is_the_librarys_own(route_to: Any, ephemeral: bool) -> None:
    async with serving(Server([NO_CONTENT] * 2)) as server, pressed(server) as press:
        route_to(server)
        assert await press.answer(ephemeral=ephemeral)
        await press.by_library(ephemeral=ephemeral)
    ours, theirs = bodies(server)
    assert ours == theirs
    headers, their_headers = (sent for _, sent, _ in server.requests)
    assert headers | {"User-Agent": ""} == their_headers | {"User-Agent": ""}


@pytest.mark.parametrize("mentions", [NOBODY, None])
async def test_an_edit_is_the_librarys_own(route_to: Any, mentions: discord.AllowedMentions | None) -> None:
    async with serving(Server([reply("200 OK")] * 2)) as server, pressed(server) as press:
        route_to(server)
        webhook = discord.Webhook.partial(7, TOKEN, session=press.session)
        assert await direct_requests.edit(webhook, MADE, mentions=mentions)
        with handle_message_parameters(view=MADE, attachments=[], previous_allowed_mentions=mentions) as params:
            await async_context.get().edit_webhook_message(
                7,
                TOKEN,
                cast("Any", "@original"),
                session=press.session,
                payload=params.payload,
                with_components=True,
            )
    ours, theirs = bodies(server)
    assert ours == theirs


PICTURED = Sheet(MADE.to_components(), b"\x89PNG\r\n--")


async def edited(press: Pressed, made: Sheet) -> bool:
    return await direct_requests.edit(discord.Webhook.partial(7, TOKEN, session=press.session), made, mentions=NOBODY)


def parts(body: bytes, kind: str) -> dict[str, Any]:
    """The parts of a form by their names: those of the library name the kind of the JSON, too."""
    form: Any = email.message_from_bytes(b"Content-Type: %b\r\n\r\n%b" % (kind.encode(), body))
    found = {part.get_param("name", header="Content-Disposition"): part for part in form.get_payload()}
    file = found["files[0]"]
    return {
        "json": orjson.loads(found["payload_json"].get_payload(decode=True)),
        "name": file.get_filename(),
        "file": file.get_payload(decode=True),
    }


async def test_an_edit_with_a_picture_is_the_librarys_own(route_to: Any) -> None:
    async with serving(Server([reply("200 OK")] * 2)) as server, pressed(server) as press:
        route_to(server)
        assert await edited(press, PICTURED)
        with handle_message_parameters(
            view=PICTURED, attachments=PICTURED.files(), previous_allowed_mentions=NOBODY
        ) as params:
            await async_context.get().edit_webhook_message(
                7,
                TOKEN,
                cast("Any", "@original"),
                session=press.session,
                multipart=params.multipart,
                files=params.files,
                with_components=True,
            )
    ours, theirs = ((line, parts(body, sent["Content-Type"])) for line, sent, body in server.requests)
    assert ours == theirs
    assert (ours[1]["name"], ours[1]["file"]) == ("table.png", PICTURED.picture)


@pytest.mark.parametrize("ephemeral", [False, True])
async def test_an_answer_with_a_picture_is_the_librarys_own(route_to: Any, ephemeral: bool) -> None:
    async with serving(Server([NO_CONTENT] * 2)) as server, pressed(server) as press:
        route_to(server)
        assert await press.answer(ephemeral=ephemeral, made=PICTURED)
        await press.by_library(ephemeral=ephemeral, made=PICTURED)
    ours, theirs = ((line, parts(body, sent["Content-Type"])) for line, sent, body in server.requests)
    assert ours[1] == theirs[1]  # the library asks for an echo of what has files


async def test_without_a_lean_session_nothing_is_sent() -> None:
    async with serving(Server([])) as server, pressed(server) as press:
        direct_requests.install(lambda _: None)
        assert not await press.answer()
    assert not server.requests


async def test_what_is_redirected_is_sent_by_the_library_where_it_belongs(route_to: Any) -> None:
    async with serving(Server([NO_CONTENT])) as there:
        elsewhere = reply("307 Moved", more=f"Location: {there.address}{CALLBACK}\r\n".encode())
        async with serving(Server([elsewhere] * 2)) as server, pressed(server) as press:
            route_to(server)
            assert not await press.answer()  # so the library sends it
            await press.by_library(ephemeral=False)
    assert bodies(there) == bodies(server)[:1]


async def test_a_refusal_is_raised_as_the_librarys_after_one_request(route_to: Any) -> None:
    refused = reply("404 Not Found", b'{"code": 10062, "message": "Unknown interaction"}')
    async with serving(Server([refused])) as server, pressed(server) as press:
        route_to(server)
        with pytest.raises(discord.NotFound) as raised:
            await press.answer()
    assert (raised.value.code, len(server.requests)) == (10062, 1)


async def test_F_12_a_limit_is_waited_for_as_the_library_waits(route_to: Any) -> None:  # noqa: N802  the number of its fault
    limited = reply("429 Too Many", b'{"retry_after": 1.5}', b"Via: 1.1 google\r\n")
    async with serving(Server([limited, NO_CONTENT])) as server, pressed(server) as press:
        route_to(server)
        begun = asyncio.get_running_loop().time()
        assert await press.answer()
        assert asyncio.get_running_loop().time() - begun == pytest.approx(1.5, abs=0.2)
    assert bodies(server)[0] == bodies(server)[1]


async def test_F_13_an_answer_at_which_discord_fails_is_not_sent_again(route_to: Any) -> None:  # noqa: N802  as above
    async with serving(Server([reply("502 Bad Gateway"), NO_CONTENT] * 2)) as server, pressed(server) as press:
        route_to(server)
        for send in (press.answer, partial(press.by_library, ephemeral=False)):
            with pytest.raises(ServerFailed):
                await send()
            await send()
    assert len(server.requests) == 4


async def test_F_10_what_was_cut_is_not_sent_again(route_to: Any) -> None:  # noqa: N802  as above
    async with serving(Server([b"", NO_CONTENT])) as server, pressed(server) as press:
        route_to(server)
        with pytest.raises((aiohttp.ClientError, OSError)):
            await press.answer()
        assert len(server.requests) == 1
        assert await press.answer()


async def test_an_exhausted_token_is_not_used_before_discord_allows_it(route_to: Any) -> None:
    last = reply("200 OK", more=b"X-RateLimit-Remaining: 0\r\nX-RateLimit-Reset-After: 2.0\r\n")
    async with serving(Server([last, NO_CONTENT])) as server, pressed(server) as press:
        route_to(server)
        begun = asyncio.get_running_loop().time()
        first = asyncio.create_task(press.answer())
        await asyncio.sleep(1)
        await press.by_library(ephemeral=False)
        assert asyncio.get_running_loop().time() - begun >= 2
        assert await first


async def test_requests_of_one_token_keep_their_order(route_to: Any) -> None:
    async def late() -> bytes:
        await asyncio.sleep(2)
        return NO_CONTENT

    async with serving(Server([late, NO_CONTENT, NO_CONTENT])) as server, pressed(server) as press:
        route_to(server)
        first = asyncio.create_task(press.answer())
        await asyncio.sleep(1)
        assert not await press.answer()  # so the library sends it, after the first
        second = asyncio.create_task(press.by_library(ephemeral=False))
        await asyncio.sleep(0.5)
        assert len(server.requests) == 1
        assert await first
        await second
    assert len(server.requests) == 2


async def test_a_token_is_quoted_as_the_library_quotes_it(route_to: Any) -> None:
    async with serving(Server([NO_CONTENT] * 2)) as server, pressed(server) as press:
        route_to(server)
        press.token = "a=b/c d"
        assert await press.answer()
        adapter = async_context.get()
        assert isinstance(adapter, DirectAdapter)
        params = interaction_message_response_params(type=7, view=MADE, previous_allowed_mentions=NOBODY)
        await adapter.create_interaction_response(7, press.token, session=press.session, params=params)
    assert server.requests[0][0] == server.requests[1][0]
