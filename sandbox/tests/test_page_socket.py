"""The page socket: what each open page gets, what it may ask, and that secrets reach their reader alone."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import discord
import pytest
from yarl import URL

from discord_sandbox import Person, Sandbox
from discord_sandbox.clients import page_server
from discord_sandbox.clients.page_server import KEY_HEADER, STATIC, version
from discord_sandbox.discord_py import connected
from discord_sandbox.model.snowflake import shard_of
from discord_sandbox.service import guild_events
from tests.sample_bot import SampleBot

Frame = dict[str, Any]

TYPES = {
    ".html": {"text/html"},
    ".js": {"text/javascript", "application/javascript"},  # Python 3.12 changed from the second to the first
    ".css": {"text/css"},
    ".svg": {"image/svg+xml"},
}
"""The types that browsers accept; under `nosniff` they use no script or style of another type."""


class Page:
    """One open page, as its own script would use the socket."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse, sandbox: Sandbox) -> None:
        self.socket = socket
        self.lobby = str(sandbox.channel("lobby").id)
        self.seen: list[Frame] = []

    async def until(self, kind: str) -> Frame:
        """The next frame of a kind; those passed over are kept in `seen`."""
        for _ in range(50):
            frame: Frame = json.loads((await self.socket.receive(timeout=3)).data)
            self.seen.append(frame)
            if frame["t"] == kind:
                return frame
        raise AssertionError(f"no {kind} among 50 frames")

    async def send(self, op: str, **fields: object) -> None:
        """Send one frame."""
        await self.socket.send_json({"op": op, "channel_id": self.lobby, **fields})


def key(sandbox: Sandbox) -> dict[str, str]:
    """The header that opens the sandbox to a page."""
    return {KEY_HEADER: sandbox.page_key}


@asynccontextmanager
async def open_page(sandbox: Sandbox, person: Person) -> AsyncIterator[Page]:
    address = f"{sandbox.origin.replace('http', 'ws', 1)}/socket?person={person.id}&key={sandbox.page_key}"
    async with aiohttp.ClientSession() as session, session.ws_connect(address) as socket:
        yield Page(socket, sandbox)


async def test_the_page_is_told_when_the_bot_goes_and_comes_back(sandbox: Sandbox) -> None:
    async with open_page(sandbox, sandbox.user("Alice")) as early:
        assert (await early.until("hello"))["bot"] == {"connected": False, "away": []}
        async with connected(SampleBot(), sandbox):
            assert (await early.until("bot"))["bot"] == {"connected": True, "away": []}
            async with open_page(sandbox, sandbox.user("Bob")) as late:
                assert (await late.until("hello"))["bot"] == {"connected": True, "away": []}
        assert (await early.until("bot"))["bot"] == {"connected": False, "away": []}
        assert [frame["bot"]["connected"] for frame in early.seen if frame["t"] == "bot"] == [True, False]


async def test_the_page_is_told_for_which_places_a_shard_is_gone(sandbox: Sandbox) -> None:
    gateway = sandbox.gateway
    servers = {shard_of(each.id, 2): str(each.id) for each in sandbox.world.servers.values()}
    sandbox.remove_member(sandbox.user("Bob"), next(each for each in sandbox.world.servers.values()))
    async with open_page(sandbox, sandbox.user("Alice")) as hers, open_page(sandbox, sandbox.user("Bob")) as his:
        for page in (hers, his):
            await page.until("hello")
        async with connected(SampleBot(shard_count=2), sandbox):
            await sandbox.wait_for_shards()
            by_shard = {each.shard: each for each in gateway.sessions.values()}
            gateway.detached(by_shard[0], resumable=True)
            await until_bot(hers, connected=True, away=[servers[0], "@me"])
            known = [each for each in (servers[0], "@me") if each != str(sandbox.server().id)]
            await until_bot(his, connected=True, away=known)
            assert not any(str(sandbox.server().id) in frame["bot"]["away"] for frame in his.seen if "bot" in frame)
            async with open_page(sandbox, sandbox.user("Alice")) as late:
                assert (await late.until("hello"))["bot"] == {"connected": True, "away": [servers[0], "@me"]}
            gateway.detached(by_shard[1], resumable=True)
            await until_bot(hers, connected=False, away=[])


async def until_bot(page: Page, **wanted: object) -> None:
    """The next frame that tells this of the bot."""
    while (await page.until("bot"))["bot"] != wanted:
        pass


async def test_hello_tells_who_where_and_with_which_commands(sandbox: Sandbox, bot: SampleBot) -> None:
    async with open_page(sandbox, sandbox.user("Alice")) as opened:
        hello = await opened.until("hello")
        assert hello["person"]["global_name"] == "Alice"
        assert [each["name"] for each in hello["servers"]] == ["First Server", "Second Server"]
        first = hello["servers"][0]
        assert [each["name"] for each in first["channels"]] == ["lobby", "games"]
        assert "Bob" in [each["global_name"] for each in first["members"]]
        assert "game" in [each["name"] for each in first["commands"]]


async def test_a_slash_command_is_done_and_its_message_seen_by_both(sandbox: Sandbox, bot: SampleBot) -> None:
    alice, bob = sandbox.user("Alice"), sandbox.user("Bob")
    async with open_page(sandbox, alice) as hers, open_page(sandbox, bob) as his:
        await his.until("hello")
        options = {"opponent": str(bob.id), "clock": "blitz"}
        await hers.send("slash", nonce="1", command_id="0", name="game", path=["start"], options=options)
        assert await hers.until("done") == {"t": "done", "nonce": "1", "ok": True}
        offer = (await his.until("message"))["message"]
        assert offer["content"].endswith("blitz")
        await his.send("press", nonce="2", message_id=offer["id"], custom_id="offer:accept")
        update = (await hers.until("message_update"))["message"]
        assert (update["id"], update["content"]) == (offer["id"], "accepted")
        note = (await his.until("message"))["message"]
        assert (note["content"], note["flags"]) == ("only for you", 64)
        await hers.send("say", content="anything else?")
        await hers.until("message")
        assert not any("only for you" in json.dumps(frame) for frame in hers.seen)


async def test_history_holds_ones_own_ephemeral_messages(sandbox: Sandbox, bot: SampleBot) -> None:
    alice, bob = sandbox.user("Alice"), sandbox.user("Bob")
    hand = (await alice.slash(sandbox.channel("lobby"), "hand")).message
    async with open_page(sandbox, alice) as hers, open_page(sandbox, bob) as his:
        await hers.send("open")
        await his.send("open")
        history = await hers.until("history")
        assert [each["id"] for each in history["messages"]] == [str(hand.id)]
        assert history["messages"][0]["interaction_metadata"]["user"]["username"] == "alice"
        assert (await his.until("history"))["messages"] == []
        await his.send("press", nonce="1", message_id=str(hand.id), custom_id="count:1")
        assert (await his.until("done"))["ok"] is False
        await hers.send("dismiss", message_id=str(hand.id))
        assert (await hers.until("message_delete"))["id"] == str(hand.id)
    assert hand.deleted


async def test_select_modal_and_autocomplete(sandbox: Sandbox, bot: SampleBot) -> None:
    async with open_page(sandbox, sandbox.user("Alice")) as opened:
        await opened.send("slash", nonce="1", name="pick")
        which = (await opened.until("message"))["message"]
        await opened.send("select", nonce="2", message_id=which["id"], custom_id="colours", values=["green"])
        assert (await opened.until("message_update"))["message"]["content"] == "green"
        await opened.send("slash", nonce="3", name="ask")
        modal = (await opened.until("modal"))["modal"]
        assert modal["title"] == "A question"
        await opened.send("modal", nonce="4", modal_id=modal["id"], values={"answer": "yes, I do"})
        assert (await opened.until("message"))["message"]["content"] == "you said yes, I do"
        await opened.send("autocomplete", nonce="5", name="find", focused="name", value="c", options={})
        choices = await opened.until("choices")
        assert choices == {"t": "choices", "nonce": "5", "choices": [{"name": "Ciq", "value": "ciq"}]}
        target = str(sandbox.user("Bob").id)
        await opened.send("context_menu", nonce="6", name="Challenge…", target_id=target)
        assert (await opened.until("message"))["message"]["content"] == "challenging Bob"


async def test_a_failure_is_told_with_the_clients_words(sandbox: Sandbox, bot: SampleBot) -> None:
    sandbox.limits.first_response = 0.05
    async with open_page(sandbox, sandbox.user("Alice")) as opened:
        await opened.send("slash", nonce="1", name="silent")
        done = await opened.until("done")
        assert (done["ok"], done["reason"]) == (False, "The application did not respond")


@pytest.mark.parametrize(
    "raw",
    ["{", "7", "{}", '{"op": "fly"}', '{"op": ["open"]}', '{"op": "open"}', '{"op": "press", "message_id": {}}'],
)
async def test_unknown_frames_are_answered_by_an_error(sandbox: Sandbox, raw: str) -> None:
    async with open_page(sandbox, sandbox.user("Alice")) as opened:
        await opened.socket.send_str(raw)
        assert "message" in await opened.until("error")
        await opened.send("open")
        await opened.until("history")


async def test_commands_that_change_are_told(sandbox: Sandbox, bot: SampleBot) -> None:
    async with open_page(sandbox, sandbox.user("Alice")) as opened:
        await opened.until("hello")
        bot.tree.remove_command("hand")
        await bot.tree.sync()
        told = await opened.until("commands")
        assert told["server_id"] == str(sandbox.server().id)
        names = [each["name"] for each in told["commands"]]
        assert "hand" not in names
        assert "game" in names


async def test_pages_come_with_a_strict_policy(sandbox: Sandbox) -> None:
    async with aiohttp.ClientSession() as session:
        for path in ("/", "/world", "/static/main.js", "/static/styles/theme.css"):
            async with session.get(sandbox.origin + path, headers=key(sandbox)) as answer:
                assert answer.status == 200
                policy = answer.headers["Content-Security-Policy"]
                assert policy.startswith("default-src 'self';")
                assert "unsafe" not in policy
        async with session.get(sandbox.origin + "/world", headers=key(sandbox)) as answer:
            world = await answer.json()
    assert [each["global_name"] for each in world["people"]] == ["Alice", "Bob", "Carol", "Dave", "Erin", "Frank"]
    assert world["application"]["name"] == "Your Bot"


async def test_every_file_of_the_page_is_served_with_its_type(sandbox: Sandbox) -> None:
    async with aiohttp.ClientSession() as session:
        for file in (each for each in STATIC.rglob("[!.]*") if each.is_file()):
            path = file.relative_to(STATIC).as_posix()
            async with session.get(f"{sandbox.origin}/static/{path}") as answer:
                assert answer.status == 200, path
                assert answer.content_type in TYPES[file.suffix], path
                assert await answer.read() == file.read_bytes(), path


async def test_a_browser_keeps_the_pages_files_until_they_change(sandbox: Sandbox) -> None:
    async with aiohttp.ClientSession(sandbox.origin) as session:
        page = await session.get("/")
        assert page.headers["Cache-Control"] == "no-cache"
        (main,) = re.findall(r'src="([^"]+)"', await page.text())
        assert main == f"/static/{version()}/main.js"
        for path, kept in {main: "max-age=31536000, immutable", "/static/main.js": "no-cache"}.items():
            async with session.get(path) as answer:
                assert answer.headers["Cache-Control"] == kept
                assert await answer.read() == (STATIC / "main.js").read_bytes()
        async with session.get(f"/static/{version()}/none.js") as answer:
            assert answer.status == 404
            assert answer.headers["Cache-Control"] == "no-cache"


def test_another_version_of_a_file_has_another_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_server, "STATIC", tmp_path)
    file = tmp_path / "main.js"
    file.write_text("one")
    before = version()
    assert version() == before
    file.write_text("another")
    assert version() != before


@pytest.mark.parametrize(
    "path",
    [
        "",
        "none.js",
        "0123456789abcdef/",
        "0123456789abcdef/../../__init__.py",
        "styles",
        "styles/",
        "../__init__.py",
        "..%2f__init__.py",
        "%2e%2e/__init__.py",
        "styles/../../__init__.py",
        "styles%2f..%2f..%2f__init__.py",
        "styles/../main.js",
        "/main.js",
        "main.js%00",
        "main.js%0a",
        "..%5cpage%5cmain.js",
        pytest.param(str(STATIC / "main.js"), id="absolute"),
        pytest.param(str(STATIC / "main.js").replace("/", "%2f"), id="absolute, quoted"),
    ],
)
async def test_only_the_pages_own_files_are_served(sandbox: Sandbox, path: str) -> None:
    address = URL(f"{sandbox.origin}/static/{path}", encoded=True)  # else the client would tidy the path up itself
    async with aiohttp.ClientSession() as session, session.get(address) as answer:
        assert answer.status == 404


async def test_other_sites_and_names_are_kept_out(sandbox: Sandbox) -> None:
    person = sandbox.user("Alice").id
    address = f"{sandbox.origin}/socket?key={sandbox.page_key}"
    async with aiohttp.ClientSession() as session:
        for headers in ({"Host": "evil.example"}, {"Origin": "http://evil.example"}):
            async with session.get(f"{address}&person={person}", headers=headers) as answer:
                assert answer.status == 403
        async with session.get(f"{address}&person={sandbox.world.application.id}") as answer:
            assert answer.status == 404


async def test_who_types_is_told_to_the_others_who_see_it(sandbox: Sandbox) -> None:
    alice, bob = sandbox.user("Alice"), sandbox.user("Bob")
    async with open_page(sandbox, alice) as hers, open_page(sandbox, bob) as his:
        await his.until("hello")
        await hers.send("typing")
        assert await his.until("typing") == {"t": "typing", "channel_id": hers.lobby, "user_id": str(alice.id)}
        await hers.send("say", content="there")
        await hers.until("message")
        assert "typing" not in [frame["t"] for frame in hers.seen]


async def test_a_server_that_changes_is_told_anew_and_one_that_is_left_is_gone(
    sandbox: Sandbox, bot: SampleBot
) -> None:
    async with open_page(sandbox, sandbox.user("Alice")) as opened:
        await opened.until("hello")
        lobby = bot.get_channel(sandbox.channel("lobby").id)
        assert isinstance(lobby, discord.TextChannel)
        await lobby.create_thread(name="Evening", type=discord.ChannelType.public_thread)
        server = (await opened.until("server"))["server"]
        assert [(each["name"], each["parent_id"], each["joined"]) for each in server["threads"]] == [
            ("Evening", opened.lobby, False)
        ]
        alice = sandbox.world.users[sandbox.user("Alice").id]
        guild_events.remove_member(sandbox.backend, sandbox.world.servers[int(server["id"])], alice)
        assert (await opened.until("server_gone"))["id"] == server["id"]


async def test_a_file_that_did_not_arrive_whole_is_refused(sandbox: Sandbox, bot: SampleBot) -> None:
    async with open_page(sandbox, sandbox.user("Alice")) as opened:
        options = {"clock": {"filename": "x.txt", "base64": "not base64!"}}
        await opened.send("slash", nonce="1", name="game", path=["start"], options=options)
        assert await opened.until("done") == {
            "t": "done",
            "nonce": "1",
            "ok": False,
            "reason": "the file did not arrive whole",
        }


async def test_the_world_tells_strangers_of_people_alone(sandbox: Sandbox) -> None:
    async with (
        aiohttp.ClientSession() as session,
        session.get(sandbox.origin + "/world", headers=key(sandbox)) as answer,
    ):
        assert (await answer.json()).keys() == {"people", "application"}


async def test_an_emoji_without_a_picture_is_a_letter() -> None:
    plan = {"application": {"name": "Other", "emojis": [{"name": "spade"}]}}
    async with Sandbox.running(plan) as sandbox, aiohttp.ClientSession() as session:
        (emoji_id,) = sandbox.world.application.emojis
        async with session.get(f"{sandbox.origin}/emojis/{emoji_id}") as answer:
            assert answer.content_type == "image/svg+xml"
            assert ">S</text>" in await answer.text()
        async with session.get(f"{sandbox.origin}/emojis/1") as answer:
            assert answer.status == 404
