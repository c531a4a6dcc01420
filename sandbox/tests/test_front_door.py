"""The front door: nothing from another site gets in, whatever the address, and nobody else may use an answer."""

# ruff: noqa: N802  a test's name bears the number of its fault

from __future__ import annotations

import socket
from collections.abc import Mapping

import aiohttp
import pytest

from discord_sandbox import Sandbox
from tests.sample_bot import SampleBot

PATHS = (
    "/",
    "/static/main.js",
    "/world",
    "/socket?person=1",
    "/gateway",
    "/gateway/",
    "/api/v10/gateway",
    "/api/v10/users/@me",
    "/api/users/@me",
    "/attachments/1/x.png",
    "/emojis/1",
    "/control",
    "/control/transcript",
    "/nowhere",
)
"""An address of every part of the sandbox."""
STRANGERS: tuple[Mapping[str, str], ...] = (
    {"Host": "evil.example"},
    {"Host": "evil.example:8787"},
    {"Host": "127.0.0.1.evil.example"},
    {"Host": "[::1"},
    {"Host": ""},
    {"Origin": "https://evil.example"},
    {"Origin": "null"},
    {"Origin": "http://127.0.0.1:1"},
    {"Origin": "https://127.0.0.1"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
)


def opened(sandbox: Sandbox, path: str) -> str:
    """The address with all it needs: the page's key and the bot's token are not what keeps strangers out."""
    if path.startswith("/api/"):
        return sandbox.origin + path  # Discord's own addresses take no key
    return f"{sandbox.origin}{path}{'&' if '?' in path else '?'}key={sandbox.page_key}"


@pytest.mark.parametrize("path", PATHS)
async def test_F_43_strangers_are_refused_everywhere(sandbox: Sandbox, path: str) -> None:
    own = {"Authorization": f"Bot {sandbox.token}", "X-Page-Key": sandbox.page_key}
    async with aiohttp.ClientSession(headers=own) as session:
        for headers in STRANGERS:
            for method in ("GET", "POST"):
                async with session.request(method, opened(sandbox, path), headers=headers) as answer:
                    assert answer.status == 403, (method, headers)
                    assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
        async with session.get(opened(sandbox, path)) as answer:
            assert answer.status != 403
            assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"


async def test_a_message_in_the_bots_name_cannot_come_from_a_form(sandbox: Sandbox, bot: SampleBot) -> None:
    alice, lobby = sandbox.user("Alice"), sandbox.channel("lobby")
    await alice.slash(lobby, "hand")
    (token,) = {each.data["token"] for each in sandbox.transcript.events if "token" in each.data}
    address = f"{sandbox.api_base}/webhooks/{sandbox.world.application.id}/{token}"
    before = len(lobby.seen_by(alice))
    async with aiohttp.ClientSession() as session:
        plain = {"Origin": "https://evil.example", "Content-Type": "text/plain"}
        async with session.post(address, data=b'{"content": "from elsewhere"}', headers=plain) as answer:
            assert answer.status == 403
        for headers in ({"Host": "evil.example"}, {"Sec-Fetch-Site": "cross-site"}):
            async with session.get(address + "/messages/@original", headers=headers) as answer:
                assert answer.status == 403
    assert len(lobby.seen_by(alice)) == before


async def test_a_link_on_another_page_may_open_the_page_and_nothing_else(sandbox: Sandbox) -> None:
    followed = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
    async with aiohttp.ClientSession(headers=followed) as session:
        assert (await session.get(sandbox.origin + "/")).status == 200
        assert (await session.get(sandbox.origin + "/world")).status == 403


@pytest.mark.parametrize("key", ["", "wrong", "²", "x" * 5000])
async def test_F_43_another_user_of_the_machine_needs_the_key(sandbox: Sandbox, key: str) -> None:
    person = sandbox.user("Alice").id
    async with aiohttp.ClientSession() as session:
        for path in ("/world", f"/socket?person={person}&key={key}"):
            headers = {"X-Page-Key": key} if key.isascii() else {}
            async with session.get(sandbox.origin + path, headers=headers) as answer:
                assert answer.status == 403


async def test_numbers_in_addresses_have_bounds(sandbox: Sandbox) -> None:
    long, own = "9" * 5000, {"Authorization": f"Bot {sandbox.token}"}
    async with aiohttp.ClientSession(headers=own) as session:
        for path, status in (
            (f"/socket?person={long}&key={sandbox.page_key}", 404),
            (f"/api/v10/users/{long}", 400),
            (f"/api/v10/channels/{long}", 400),
            (f"/api/v10/channels/{sandbox.channel('lobby').id}/messages?before={long}", 400),
            (f"/api/v10/channels/{sandbox.channel('lobby').id}/messages?limit={long}", 400),
            (f"/attachments/{long}/x", 404),
            (f"/emojis/{long}", 404),
        ):
            async with session.get(sandbox.origin + path) as answer:
                assert answer.status == status, path
        async with session.delete(f"{sandbox.origin}/control/faults/{long}") as answer:
            assert answer.status == 404


async def test_each_sandbox_has_its_own_token_and_key() -> None:
    first, second = Sandbox(), Sandbox()
    assert len({first.token, second.token, first.page_key, second.page_key}) == 4


async def test_an_address_of_this_machine_is_enough_of_a_name(sandbox: Sandbox) -> None:
    async with aiohttp.ClientSession() as session:
        for host in ("localhost", f"127.0.0.1:{sandbox.port}", "127.9.9.9", "[::1]:1"):
            assert (await session.get(sandbox.origin + "/", headers={"Host": host})).status == 200
    with socket.create_connection((sandbox.host, sandbox.port)) as line:
        line.close()
