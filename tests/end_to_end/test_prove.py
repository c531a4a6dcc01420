"""`tools.prove` on the sandbox: it measures everything, cleans up, and every measure notices another Discord."""

from __future__ import annotations

import asyncio
import builtins
import os
import signal
import subprocess
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from bot.settings import EXIT_CONFIGURATION, EXIT_DATABASE, EXIT_UNREACHABLE
from bot.store.sqlite.instance_lock import InstanceLock, lock_holder
from discord_sandbox import Permission, Rule, Sandbox
from discord_sandbox.service.interactions import Interaction
from discord_sandbox.validation import components, mentions
from tests.bot.ops.databases import environment
from tests.bot.ops.samples import assert_excerpt, masked, samples
from tests.end_to_end.operator import run, say, settings_for
from tests.end_to_end.process import UP_WITHIN
from tests.fork_server import command_server
from tools.prove import api, edits
from tools.prove.press_listener import GaveUp
from tools.prove.run import EXIT_UNUSABLE, MEASURES, prove
from tools.prove.scene import Measure, table

HOOK = "/webhooks/{application_id}/{token}"
CALLBACK = "/interactions/*/*/callback"
POSTS = "/channels/*/messages"
EDITS = "/channels/*/messages/*"
HOUR = 3600.0
LOADING = 1 << 7
"""The flag of a deferred answer."""
COMMAND = "python -m tools.prove --server 200000000004194304 --channel 300000000000000001"
"""The command of the samples, with the ids of the sandbox's lobby."""


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    async with Sandbox.running() as running:
        running.rate_limits.enforced = True
        running.limits.heartbeat_patience = HOUR  # discord.py's heartbeats take real time, and a run is minutes long
        yield running


def measured(folder: Path, *arguments: object, **settings: str) -> subprocess.CompletedProcess[str]:
    """What the command did with these arguments, its data in `folder`."""
    return command_server().run(
        "tools.prove", *map(str, arguments), environ=environment(folder, **settings), folder=folder
    )


def by_name(found: list[Measure]) -> dict[str, Measure]:
    return {each.name: each for each in found}


async def test_a_run_finds_the_sandbox_as_expected_cleans_up_and_prints_the_samples_of_the_operators_page(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    lobby, alice = sandbox.channel("lobby"), sandbox.user("Alice")
    found = await run(sandbox, tmp_path)
    assert [each for each in found if each.verdict == "differs"] == []
    assert {each.name for each in found if each.verdict == "not measured"} == {"slow mode", edits.OLD_EDITS}
    assert [each.text for each in lobby.seen_by(alice)] == [say("place.prove_kept")]
    assert len(sandbox.transcript.requests) < api.MOST_REQUESTS
    assert sandbox.rate_limits.invalid_requests < api.MOST_INVALID
    told = "\n".join(table(found))
    for secret in (sandbox.token, alice.name, str(alice.id), str(lobby.id), str(lobby.server_id), lobby.name):
        assert secret not in told
    assert f"python -m tools.prove --server {lobby.server_id} --channel {lobby.id}" == COMMAND
    sandbox.advance(HOUR + 60)
    second = "\n".join(table(await run(sandbox, tmp_path, again=True)))
    shown = samples()
    (sample,) = shown[COMMAND]
    assert_excerpt(masked(sample), masked(told.replace("behind Discord", "ahead of Discord")))
    assert [masked(each) for each in shown[f"{COMMAND} --again"]] == [masked(second)]


# ------------------------------------------------------------------------------------ another Discord


def bucket(method: str, rule: Rule) -> Callable[[Sandbox, pytest.MonkeyPatch], None]:
    """Another limit of what is sent through a press's token."""
    route = f"{method} {HOOK}" if method == "POST" else f"{method} {HOOK}/messages/{{message_id}}"

    def change(sandbox: Sandbox, _: pytest.MonkeyPatch) -> None:
        sandbox.rate_limits.rules[route] = rule

    return change


def refusal(method: str, path: str, status: int, code: int, nth: int = 1) -> Callable[[Sandbox, object], None]:
    """One request that is refused."""

    def change(sandbox: Sandbox, _: object) -> None:
        sandbox.faults.on(method, path, status=status, code=code, nth=nth, times=None)

    return change


def texts_up_to(most: int) -> Callable[[Sandbox, pytest.MonkeyPatch], None]:
    def change(_: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(components, "MOST_TEXT", most)

    return change


def counted_in_utf_16(_: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    def length(value: object) -> int:
        if isinstance(value, str):
            return builtins.len(value.encode("utf-16-le")) // 2
        return builtins.len(value)  # type: ignore[arg-type]  # as the name it stands in for

    monkeypatch.setattr(components, "len", length, raising=False)


def added_by_an_answer(sandbox: Sandbox, _: pytest.MonkeyPatch) -> None:
    """An answer makes the bot a member of its thread."""

    def join() -> None:
        sandbox.channel("lobby").threads[-1].join()

    sandbox.faults.on("POST", CALLBACK, nth=2, after=join)


def opened_by_an_edit(sandbox: Sandbox, _: pytest.MonkeyPatch) -> None:
    """An edit in an archived thread opens it."""

    def unarchive() -> None:
        sandbox.channel("lobby").threads[-1].unarchive()

    sandbox.faults.on("PATCH", EDITS, before=unarchive)


def reached_by_a_private_answer(_: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    """A press's token edits the message that was pressed, however the press was answered."""
    monkeypatch.setattr(Interaction, "reaches", lambda self, message: message is self.source)


def reached_from_a_hand(_: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    """The token of a press in a private message edits public ones, too."""
    usual = Interaction.reaches

    def reaches(interaction: Interaction, message: Any) -> bool:
        in_a_hand = interaction.source is not None and interaction.source.reader is not None
        return in_a_hand or usual(interaction, message)

    monkeypatch.setattr(Interaction, "reaches", reaches)


def counted_with_the_channel(sandbox: Sandbox, _: pytest.MonkeyPatch) -> None:
    """An edit through a token counts as one in its channel."""
    limits, lobby = sandbox.rate_limits, str(sandbox.channel("lobby").id)

    def count() -> None:
        limits.take("PATCH /channels/{channel_id}/messages/{message_id}", lobby)

    sandbox.faults.on("PATCH", "/webhooks/*/*/messages/@original", times=None, before=count)


def unmarked(sandbox: Sandbox, _: pytest.MonkeyPatch) -> None:
    """An edit is shown as none, as that which fills a deferred answer."""

    def defer() -> None:
        sandbox.channel("lobby").for_only(sandbox.user("Alice"))[-1].record.data["flags"] |= LOADING

    sandbox.faults.on("PATCH", "/webhooks/*/*/messages/@original", before=defer)


def clock_ahead(sandbox: Sandbox, _: pytest.MonkeyPatch) -> None:
    sandbox.advance(30)


def late_events(sandbox: Sandbox, _: pytest.MonkeyPatch) -> None:
    sandbox.faults.on_event("INTERACTION_CREATE", delay=2.0)


def no_mentions(_: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    nobody = {"mentions": [], "mention_roles": [], "mention_everyone": False}
    monkeypatch.setattr(mentions, "pinged", lambda *_: nobody)


def forgotten_nonces(sandbox: Sandbox, _: pytest.MonkeyPatch) -> None:
    lobby = sandbox.channel("lobby")
    sandbox.faults.on("POST", POSTS, nth=3, before=lambda: lobby.last.record.data.pop("nonce"))


def slow_for_bots(sandbox: Sandbox, _: pytest.MonkeyPatch) -> None:
    sandbox.channel("lobby").record.slow_mode = 10
    sandbox.faults.on("POST", POSTS, nth=3, times=None, status=429, code=20016)


def without_links(sandbox: Sandbox, _: pytest.MonkeyPatch) -> None:
    sandbox.channel("lobby").deny(Permission.EMBED_LINKS)


ELSEWHERE = [
    ("private messages", "an answer to a press", refusal("POST", CALLBACK, 400, 40060)),
    ("clock of this machine", "clock of this machine", clock_ahead),
    ("clock of this machine", "a press arrives", late_events),
    (
        "an edit of the message that was pressed",
        "an edit of the message that was pressed",
        refusal("PATCH", EDITS, 403, 50001),
    ),
    (
        "edits of a board",
        "an edit of the message that was pressed, through the token of a private answer",
        reached_by_a_private_answer,
    ),
    ("edits of a board", edits.FROM_A_HAND, reached_from_a_hand),
    (
        "edits of a board",
        "an edit of the message that a press has updated, through its token",
        refusal("PATCH", "/webhooks/*/*/messages/@original", 404, 10008),
    ),
    ("edits of a board", "edits through a token, beside the bot's own", counted_with_the_channel),
    ("private thread", "a press in a private thread that the bot is not in", refusal("POST", CALLBACK, 403, 50001, 2)),
    ("private thread", "an edit in a private thread that the bot is not in", added_by_an_answer),
    ("archived thread", "a press in an archived thread", refusal("POST", CALLBACK, 400, 50083, 2)),
    ("archived thread", "an edit in an archived thread", opened_by_an_edit),
    ("edits of a hand", edits.UNCHANGED, unmarked),
    ("edits of a hand", "edits of a hand, at once", bucket("PATCH", Rule(3, 2.0))),
    ("edits of a hand", "edits of a hand, at once", bucket("PATCH", Rule(5, 2.0, "shared"))),
    ("edits of a hand", "edits of a hand, 2 a second for a minute", bucket("PATCH", Rule(30, 60.0))),
    ("private messages", "private messages, at once", bucket("POST", Rule(3, 2.0))),
    ("private messages", "private messages, 1 a second", bucket("POST", Rule(30, 60.0))),
    ("text length", "a text of 3900 letters", texts_up_to(3800)),
    ("text length", "a text of 4000 letters", texts_up_to(3950)),
    ("text length", "a text of 4001 letters", texts_up_to(4100)),
    ("text length", "two texts of 4001 letters together", texts_up_to(4100)),
    ("text length", "a text of 1950 emojis", texts_up_to(1900)),
    ("text length", "unit of text length", counted_in_utf_16),
    ("permissions", "permissions that the bot lacks", without_links),
    ("permissions", "a text with a link, with Embed Links", refusal("POST", POSTS, 403, 50013, 2)),
    ("permissions", "a file in a private answer, with Attach Files", refusal("POST", "/webhooks/*/*", 403, 50013)),
    ("a mention", "a mention", no_mentions),
    ("the same nonce twice", "the same nonce twice", forgotten_nonces),
    ("slow mode", "slow mode", slow_for_bots),
]
"""Which measure finds which line to differ, on a Discord that was changed how."""


@pytest.mark.parametrize(("key", "line", "change"), ELSEWHERE, ids=lambda each: each if isinstance(each, str) else "")
async def test_a_measure_notices_another_discord(  # noqa: PLR0917  pytest passes them by name
    sandbox: Sandbox,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    key: str,
    line: str,
    change: Callable[[Sandbox, pytest.MonkeyPatch], None],
) -> None:
    change(sandbox, monkeypatch)
    found = await run(sandbox, tmp_path, measures=[each for each in MEASURES if each[0] == key])
    assert by_name(found)[line].verdict == "differs"


def test_every_measure_is_shown_to_notice_another_discord() -> None:
    assert {key for key, _, _ in ELSEWHERE} == {key for key, _ in MEASURES}


async def test_an_hour_later_the_old_message_is_edited_and_removed(sandbox: Sandbox, tmp_path: Path) -> None:
    lobby = sandbox.channel("lobby")
    await run(sandbox, tmp_path, measures=())
    assert (await run(sandbox, tmp_path, again=True))[0].verdict == "not measured"
    assert [each.text for each in lobby.messages] == [say("place.prove_kept")]
    sandbox.advance(HOUR + 1)
    (found,) = await run(sandbox, tmp_path, again=True)
    assert (found.verdict, found.result.partition(" ")[0]) == ("ok", str(sandbox.old_edit_limit.most))
    assert "code 30046" in found.result
    assert lobby.messages == []


async def test_what_others_wrote_is_never_edited(sandbox: Sandbox, tmp_path: Path) -> None:
    lobby = sandbox.channel("lobby")
    written = sandbox.user("Alice").say(lobby, "as another bot might write")
    written.record.data["components"] = [{"type": 10, "id": 1, "content": say("place.prove_kept")}]
    sandbox.advance(HOUR + 1)
    (found,) = await run(sandbox, tmp_path, again=True)
    assert found.verdict == "not measured"
    assert written in lobby.messages


async def test_a_thread_that_the_bot_may_not_begin_is_said(sandbox: Sandbox, tmp_path: Path) -> None:
    sandbox.channel("lobby").deny(Permission.CREATE_PRIVATE_THREADS)
    found = by_name(await run(sandbox, tmp_path, measures=[each for each in MEASURES if each[0] == "private thread"]))
    (line,) = (each for name, each in found.items() if "private thread" in name)
    assert (line.verdict, line.result) == ("not measured", "the bot can't begin one: refused (403, code 50013)")


# ------------------------------------------------------------------------------------ bounds and refusals


async def test_a_run_makes_only_so_many_requests_and_removes_what_it_posted(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(api, "MOST_REQUESTS", 30)
    found = by_name(await run(sandbox, tmp_path))
    assert found["permissions"].result == "this run has made as many requests as it may"
    assert sandbox.channel("lobby").seen_by(sandbox.user("Alice")) == []


async def test_a_run_stops_where_too_much_is_refused(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(api, "MOST_INVALID", 3)
    sandbox.faults.on("*", "/channels/**", status=403, code=50013, nth=3, times=None)
    found = await run(sandbox, tmp_path)
    assert sandbox.rate_limits.invalid_requests == 3
    assert any("as many requests" in each.result for each in found)


async def prove_in(sandbox: Sandbox, folder: Path, server: int, channel: int, token: str = "") -> list[Measure]:
    return await prove(settings_for(sandbox, folder), token or sandbox.token, server, channel)


async def test_a_place_or_a_token_that_cannot_be_used_is_refused_before_anything_is_posted(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    lobby, games = sandbox.channel("lobby"), sandbox.channel("games")
    games.deny(Permission.VIEW_CHANNEL)
    server = lobby.server_id or 0
    for venue in ((server, 1), (1, lobby.id), (server, games.id)):
        with pytest.raises(GaveUp, match="no such channel") as gave_up:
            await prove_in(sandbox, tmp_path, *venue)
        assert gave_up.value.code == EXIT_UNUSABLE
    with pytest.raises(GaveUp, match="DISCORD_TOKEN") as gave_up:
        await prove_in(sandbox, tmp_path, server, lobby.id, token="another")
    assert gave_up.value.code == EXIT_CONFIGURATION
    lobby.deny(Permission.SEND_MESSAGES)
    with pytest.raises(GaveUp, match="can't post in that channel") as gave_up:
        await prove_in(sandbox, tmp_path, server, lobby.id)
    assert gave_up.value.code == EXIT_UNUSABLE


async def test_no_session_is_used_where_few_are_left(sandbox: Sandbox, tmp_path: Path) -> None:
    lobby = sandbox.channel("lobby")
    sandbox.limits.identifies_a_day = 4
    for _ in range(3):
        await run(sandbox, tmp_path, measures=())
    with pytest.raises(GaveUp, match="sessions are left") as gave_up:
        await prove_in(sandbox, tmp_path, lobby.server_id or 0, lobby.id)
    assert gave_up.value.code == EXIT_UNREACHABLE


@pytest.mark.parametrize("path", ["/users/@me", "/gateway/bot"])
async def test_a_discord_that_does_not_answer_is_out_of_reach(sandbox: Sandbox, tmp_path: Path, path: str) -> None:
    lobby = sandbox.channel("lobby")
    sandbox.faults.on("GET", path, drop="before", times=None)
    with pytest.raises(GaveUp, match="did not answer") as gave_up:
        await prove_in(sandbox, tmp_path, lobby.server_id or 0, lobby.id)
    assert gave_up.value.code == EXIT_UNREACHABLE


async def test_a_connection_that_is_lost_before_start_ends_the_run(sandbox: Sandbox, tmp_path: Path) -> None:
    lobby = sandbox.channel("lobby")
    running = asyncio.create_task(prove_in(sandbox, tmp_path, lobby.server_id or 0, lobby.id))
    await sandbox.wait_for(lambda: lobby.messages)
    sandbox.drop_gateway(code=4012)
    with pytest.raises(GaveUp, match="was lost") as gave_up:
        await running
    assert gave_up.value.code == EXIT_UNREACHABLE
    assert lobby.messages == []


def test_without_a_token_it_says_so_in_one_line(tmp_path: Path) -> None:
    done = measured(tmp_path, "--server", "1", "--channel", "2")
    assert done.returncode == EXIT_CONFIGURATION
    assert done.stderr.startswith("cardroom: DISCORD_TOKEN: missing")
    assert done.stderr.count("\n") == 1


def test_beside_a_running_bot_it_refuses_in_one_line(tmp_path: Path) -> None:
    lock = InstanceLock(tmp_path / "cardroom.db.lock")
    try:
        done = measured(tmp_path, "--server", "1", "--channel", "2", DISCORD_TOKEN="a-token")
    finally:
        lock.release()
    assert done.returncode == EXIT_DATABASE
    assert "is running on" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.real_time
async def test_the_command_holds_the_lock_and_told_to_stop_removes_what_it_posted(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    lobby = sandbox.channel("lobby")
    connection = {"DISCORD_TOKEN": sandbox.token, "DISCORD_API_BASE": sandbox.api_base}
    server, out, err = command_server(), tmp_path / "out", tmp_path / "err"
    process = await asyncio.to_thread(
        server.start,
        "tools.prove",
        *(f"--server={lobby.server_id}", f"--channel={lobby.id}"),
        environ=environment(tmp_path, **connection),
        folder=tmp_path,
        out=out,
        err=err,
    )
    await sandbox.wait_for(lambda: err.exists() and "\n" in err.read_text(), UP_WITHIN)
    assert err.read_text().startswith("Press *Start* in the channel.")
    assert lobby.messages
    assert lock_holder(tmp_path / "cardroom.db.lock") == process
    os.kill(process, signal.SIGTERM)
    assert await server.ended(process) == 0
    assert out.read_text() == ""
    assert lobby.messages == []


@pytest.mark.real_time
async def test_the_command_prints_the_table(sandbox: Sandbox, tmp_path: Path) -> None:
    lobby = sandbox.channel("lobby")
    connection = {"DISCORD_TOKEN": sandbox.token, "DISCORD_API_BASE": sandbox.api_base}
    ids = ["--server", lobby.server_id, "--channel", lobby.id]
    done = await asyncio.to_thread(measured, tmp_path, *ids, "--again", **connection)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1] == f"| {edits.OLD_EDITS} | {edits.NONE_YET} | - | not measured |"
