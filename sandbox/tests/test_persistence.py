"""What a sandbox still knows after it was started again."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import aiohttp
import discord
import pytest
from discord import ui
from yarl import URL

from discord_sandbox import Permission, Sandbox
from discord_sandbox.service import persistence
from tests.conftest import Api, allow_bot
from tests.sample_bot import SampleBot

TOKEN = "a-token-for-this-test"


async def test_messages_their_buttons_and_files_are_there_again(
    sandbox: Sandbox, bot: SampleBot, tmp_path: Path
) -> None:
    lobby = sandbox.channel("lobby")
    row: ui.ActionRow[ui.LayoutView] = ui.ActionRow(ui.Button(label="Accept", custom_id="accept"))
    view = ui.LayoutView(timeout=None).add_item(row)
    sent = await bot.get_partial_messageable(lobby.id).send(view=view)
    sandbox.user("Alice").say(lobby, "hello")
    picture = discord.File(io.BytesIO(b"not quite a picture"), "cards.png")
    await bot.get_partial_messageable(lobby.id).send("look", file=picture)
    state = tmp_path / "made" / "state.json"
    persistence.save(sandbox.backend, state)

    async with Sandbox.running() as again:
        persistence.restore(again.backend, state)
        there = again.channel("lobby")
        assert [each.raw for each in there.messages] == [each.raw for each in lobby.messages]
        assert there.messages[0].button("Accept").custom_id == "accept"
        assert there.record.last_message_id == there.last.id
        attachment = there.last.raw["attachments"][0]
        async with aiohttp.ClientSession() as session:
            async with session.get(again.origin + URL(attachment["url"]).path_qs) as answer:
                assert await answer.read() == b"not quite a picture"
            changed = {"components": [{"type": 10, "content": "changed"}]}
            path = f"/channels/{there.id}/messages/{sent.id}"
            assert (await Api(session, again.api_base, again.token)("PATCH", path, changed)).status == 200
        assert there.messages[0].text == "changed"
        assert again.user("Alice").say(there, "still here").id > there.messages[-2].id


async def test_emojis_are_there_again_with_their_pictures_and_ids(
    sandbox: Sandbox, bot: SampleBot, tmp_path: Path
) -> None:
    made = await bot.create_application_emoji(name="spade", image=b"\x89PNG\r\n\x1a\n" + bytes(20))
    state = tmp_path / "state.json"
    persistence.save(sandbox.backend, state)
    async with Sandbox.running() as again:
        persistence.restore(again.backend, state)
        assert again.world.application.emojis == sandbox.world.application.emojis
        async with aiohttp.ClientSession() as session, session.get(f"{again.origin}/emojis/{made.id}") as answer:
            assert (answer.status, answer.content_type) == (200, "image/png")


async def test_private_answers_are_not_kept(sandbox: Sandbox, bot: SampleBot, tmp_path: Path) -> None:
    alice, lobby = sandbox.user("Alice"), sandbox.channel("lobby")
    await sandbox.wait_for(bot.is_ready)
    await alice.slash(lobby, "hand")
    assert len(lobby.for_only(alice)) == 1
    persistence.save(sandbox.backend, tmp_path / "state.json")
    assert json.loads((tmp_path / "state.json").read_bytes())["channels"][str(lobby.id)] == []


async def test_old_messages_fall_out(sandbox: Sandbox, tmp_path: Path) -> None:
    for number in range(persistence.MOST_MESSAGES + 2):
        sandbox.user("Bob").say(sandbox.channel("lobby"), str(number))
    persistence.save(sandbox.backend, tmp_path / "state.json")
    again = Sandbox()
    persistence.restore(again.backend, tmp_path / "state.json")
    kept = [message.content for message in again.channel("lobby").messages]
    assert kept == [str(number) for number in range(2, persistence.MOST_MESSAGES + 2)]


async def test_a_change_is_saved_soon_and_the_last_at_the_end(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(persistence, "PAUSE", 0.01)
    state, lobby, bob = tmp_path / "state.json", sandbox.channel("lobby"), sandbox.user("Bob")
    async with persistence.kept(sandbox.backend, state):
        bob.say(lobby, "first")
        await sandbox.wait_for(lambda: state.exists() and b"first" in state.read_bytes())
        monkeypatch.setattr(persistence, "PAUSE", 60)
        bob.say(lobby, "second")
    assert b"second" in state.read_bytes()


async def test_a_world_of_another_shape_takes_what_it_can(sandbox: Sandbox, tmp_path: Path) -> None:
    sandbox.user("Bob").say(sandbox.channel("lobby"), "from somebody who is gone")
    sandbox.user("Alice").say(sandbox.channel("lobby"), "from somebody who stayed")
    sandbox.user("Alice").say(sandbox.channel("games"), "in a channel that is gone")
    persistence.save(sandbox.backend, tmp_path / "state.json")
    smaller = Sandbox({"people": [{"name": "Alice"}], "servers": [{"name": "One", "channels": [{"name": "lobby"}]}]})
    persistence.restore(smaller.backend, tmp_path / "state.json")
    assert [message.content for message in smaller.channel("lobby").messages] == ["from somebody who stayed"]


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"channels": [], "files": {}}', '{"channels": {"x": 1}}'])
async def test_a_damaged_file_is_refused(sandbox: Sandbox, tmp_path: Path, text: str) -> None:
    (tmp_path / "state.json").write_text(text)
    with pytest.raises(persistence.StateFileError, match="damaged"):
        persistence.restore(sandbox.backend, tmp_path / "state.json")


async def test_a_file_that_cannot_be_written_is_told_of(sandbox: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(persistence.StateFileError, match="not saved"):
        persistence.save(sandbox.backend, tmp_path / "file" / "state.json")


@contextmanager
def program(state: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The running program with its state file, and its page's address; ended by SIGTERM."""
    process = subprocess.Popen(
        [sys.executable, "-W", "error", "-m", "discord_sandbox", "--port", "0", "--state", str(state)],
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "SANDBOX_TOKEN": TOKEN},
    )
    try:
        assert process.stdout is not None
        page = process.stdout.readline().removeprefix("sandbox page: ").partition("#")[0]
        yield process, page
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=20)
        assert (process.returncode, errors) == (0, "")
    finally:
        process.kill()
        process.communicate()


@pytest.mark.real_time
async def test_the_program_keeps_its_state(tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    lobby = Sandbox().channel("lobby").id
    path = f"/channels/{lobby}/messages"
    async with aiohttp.ClientSession() as session:
        with program(state) as (_, page):
            api = Api(session, f"{page}api/v10", TOKEN)
            assert (await api("POST", path, {"content": "remember me"})).status == 200
        with program(state) as (_, page):
            kept = await Api(session, f"{page}api/v10", TOKEN)("GET", path)
    assert [message["content"] for message in kept.body] == ["remember me"]


def test_the_program_refuses_a_damaged_state_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "state.json").write_text("{")
    ended = subprocess.run(
        [sys.executable, "-m", "discord_sandbox", "--port", "0", "--state", str(tmp_path / "state.json")],
        text=True,
        capture_output=True,
        timeout=20,
        check=False,
    )
    assert ended.returncode == 78
    assert ended.stderr.startswith("sandbox: ")
    assert ended.stderr.count("\n") == 1


async def test_pins_and_reactions_are_there_again(sandbox: Sandbox, api: Api, tmp_path: Path) -> None:
    allow_bot(sandbox, Permission.PIN_MESSAGES)
    lobby, alice = sandbox.channel("lobby"), sandbox.user("Alice")
    said = alice.say(lobby, "the rules")
    alice.react(said, "👍")
    await api("PUT", f"/channels/{lobby.id}/pins/{said.id}")
    persistence.save(sandbox.backend, tmp_path / "state.json")
    async with Sandbox.running() as again:
        persistence.restore(again.backend, tmp_path / "state.json")
        kept = again.channel("lobby").messages[0]
        assert kept.record.pinned_at == said.record.pinned_at
        again.user("Bob").react(kept, "👍")
        assert kept.raw["reactions"][0]["count"] == 2
