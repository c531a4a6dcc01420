"""`python -m tools.prove`: one run, from the lock to the table.

Exit codes: 0 measured · 1 the channel can't be used, or nobody pressed *Start* · 73 the bot is running on this data
folder · 75 Discord can't be reached · 78 wrong configuration.
"""

from __future__ import annotations

import asyncio
import secrets
import signal
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from functools import partial
from typing import Any, Final, TypeAlias

import aiohttp

from bot.ops import databases
from bot.settings import EXIT_CONFIGURATION, EXIT_UNREACHABLE, Settings
from bot.store.errors import StoreError
from bot.store.sqlite.instance_lock import InstanceLock
from bot.store.sqlite.reading import beside
from bot.ui.catalogue import translations
from tools.prove import edits, posts, threads
from tools.prove import scene as scenes
from tools.prove.api import Answer, Api, CannotAsk
from tools.prove.press_listener import Connection, GaveUp, listening

EXIT_UNUSABLE: Final = 1

START_WITHIN: Final = 300.0
"""Seconds the operator has to press *Start*."""
SECONDS: Final = 13 * 60.0
"""How long the measures may take: what answers a press is valid for 15 minutes."""
LEAST_SESSIONS: Final = 0.25
"""What part of the day's sessions must be left, for a run uses one."""
HIDES: Final = frozenset({400, 403, 404})
"""How Discord answers where there is no such channel, or none that the bot sees."""
HOLDS_MESSAGES: Final = frozenset({0, 5, 10, 11, 12})
"""The types of channels a run can be made in: text, announcements, threads
(https://discord.com/developers/docs/resources/channel#channel-object-channel-types)."""


NamedMeasure: TypeAlias = tuple[str, Callable[[scenes.Scene], AsyncIterator[scenes.Measure]]]
"""A name for the table where nothing could be measured, and what makes the lines."""

MEASURES: Final[tuple[NamedMeasure, ...]] = (
    ("clock of this machine", posts.clock),
    ("an edit of the message that was pressed", posts.board),
    ("edits of a board", edits.boards),
    ("private thread", threads.private),
    ("archived thread", threads.archived),
    ("edits of a hand", edits.edits),
    ("text length", posts.text_length),
    ("private messages", edits.messages),
    ("permissions", posts.permissions),
    ("a mention", posts.mentions),
    ("the same nonce twice", posts.nonces),
    ("slow mode", posts.slow_mode),
)
"""All measures of a press, in this order: those first for which the operator is needed once more."""


def run(settings: Settings, server: int, channel: int, *, again: bool) -> int:
    """Measure, print the table, and return the exit code. Raises ConfigurationError without a token.

    The lock is held meanwhile, so that no bot starts on the same data: Discord would send the presses to both.
    """
    token = settings.require_token()
    try:
        databases.refuse_in_use(settings)
        lock = InstanceLock(beside(settings.database, ".lock"))
    except StoreError as error:
        return _fail(str(error), databases.exit_code(error))
    try:
        return asyncio.run(_until_told(partial(prove, settings, token, server, channel, again=again)))
    except KeyboardInterrupt:
        return 0
    except GaveUp as error:
        return _fail(str(error), error.code)
    finally:
        lock.release()


async def _until_told(work: Callable[[], Any]) -> int:
    """Do the work. SIGTERM and SIGINT end it with 0, after it has removed what it posted."""
    task = asyncio.ensure_future(work())
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, task.cancel)
    try:
        measures: list[scenes.Measure] = await task
    except asyncio.CancelledError:
        return 0
    for line in scenes.table(measures):
        print(line)
    return 0


async def prove(
    settings: Settings,
    token: str,
    server: int,
    channel: int,
    *,
    again: bool = False,
    measures: Sequence[NamedMeasure] = MEASURES,
) -> list[scenes.Measure]:
    """Make these measures, or (`again`) that for which a former run left a message. Raises GaveUp."""
    say = translations(settings.language)
    async with aiohttp.ClientSession() as session:
        api = Api(session, settings.discord_api_base, token)
        try:
            own_id = int((await _asked(api, "/users/@me"))["id"])
            scene = scenes.Scene(api, say, await _channel(api, server, channel), f"prove:{secrets.token_urlsafe(12)}")
            found: list[scenes.Measure] = []
            if not again:
                connection, sessions = await _gateway(settings, api, server)
                async with listening(token, connection) as scene.presses:
                    found = [sessions, *await _with_a_press(scene, measures)]
        except CannotAsk as error:
            raise GaveUp(str(error), EXIT_UNREACHABLE) from None
        return [*found, *await _made("old messages", edits.old(scene, own_id))]


async def _asked(api: Api, path: str) -> Any:
    answer = await api.request("GET", path)
    if answer.status == 401:
        raise GaveUp("DISCORD_TOKEN: Discord does not accept it", EXIT_CONFIGURATION)
    if not answer.taken:
        raise GaveUp(f"Discord cannot be asked: {answer}", EXIT_UNREACHABLE)
    return answer.body


async def _channel(api: Api, server: int, channel: int) -> dict[str, Any]:
    """The channel, if it is in the server and the bot sees it."""
    answer = await api.request("GET", f"/channels/{channel}")
    if answer.status in HIDES or (answer.taken and str(answer.body.get("guild_id")) != str(server)):
        raise GaveUp("the bot sees no such channel in that server", EXIT_UNUSABLE)
    if not answer.taken:
        raise GaveUp(f"Discord cannot be asked: {answer}", EXIT_UNREACHABLE)
    if answer.body["type"] not in HOLDS_MESSAGES:
        raise GaveUp("choose a text channel", EXIT_UNUSABLE)
    found: dict[str, Any] = answer.body
    return found


async def _gateway(settings: Settings, api: Api, server: int) -> tuple[Connection, scenes.Measure]:
    """Where to connect for a server's events, and how many sessions are left."""
    answer = await _asked(api, "/gateway/bot")
    limit, shards = answer["session_start_limit"], answer["shards"]
    left = f"{limit['remaining']} of {limit['total']}"
    if limit["remaining"] <= limit["total"] * LEAST_SESSIONS:
        raise GaveUp(f"only {left} sessions are left today: try again tomorrow", EXIT_UNREACHABLE)
    connection = Connection(settings.discord_api_base, answer["url"], (server >> 22) % shards, shards)
    return connection, scenes.measured("sessions left today", left, "more than a quarter", as_expected=True)


async def _with_a_press(scene: scenes.Scene, measures: Sequence[NamedMeasure]) -> list[scenes.Measure]:
    """Post the message with *Start*, wait for the press, and measure. What was posted is removed."""
    say = scene.say
    board = await scene.post(scenes.with_button(say("place.prove_ask"), say("place.prove_start"), scene.mark))
    if not board.taken:
        raise GaveUp(f"the bot can't post in that channel: {board}", EXIT_UNUSABLE)
    scene.board_id = int(board.body["id"])
    try:
        scenes.tell(
            "Press *Start* in the channel. It takes about six minutes, and three more presses in the first of them."
        )
        press = await scene.presses.first_press(scene.mark, START_WITHIN)
        if press is None:
            raise GaveUp("nobody pressed *Start*", EXIT_UNUSABLE)
        scene.press = press
        return await _measures(scene, measures)
    finally:
        await scene.clean_up()
        for line in scene.left_behind:
            scenes.tell(f"Left behind: {line}.")


async def _measures(scene: scenes.Scene, measures: Sequence[NamedMeasure]) -> list[scenes.Measure]:
    """Answer the press, and make all measures within the time that its token is valid."""
    answer = await scene.answer(scene.press, scenes.texts(scene.say("place.prove_message"), flags=scenes.EPHEMERAL))
    scene.remove_later(f"{scene.press.hook}/messages/@original")
    found = [_first_answer(answer)]
    deadline = asyncio.get_running_loop().time() + SECONDS
    for name, measure in measures:
        if asyncio.get_running_loop().time() >= deadline:
            found.append(scenes.not_measured(name, "there was no time left"))
            continue
        found += await _made(name, measure(scene))
    return found


def _first_answer(answer: Answer) -> scenes.Measure:
    another = " (another process uses this token)" if answer.code == 40060 else ""
    return scenes.measured("an answer to a press", f"{answer}{another}", "taken", as_expected=answer.taken)


async def _made(name: str, measures: AsyncIterator[scenes.Measure]) -> list[scenes.Measure]:
    """What is measured, up to a request that could not be made."""
    found: list[scenes.Measure] = []
    try:
        async for each in measures:
            found.append(each)  # noqa: PERF401  what was measured before an error counts
    except scenes.CannotMeasure as error:
        found.append(scenes.not_measured(*error.args))
    except CannotAsk as error:
        found.append(scenes.not_measured(name, str(error)))
    return found


def _fail(text: str, code: int) -> int:
    print(f"cardroom: {text}", file=sys.stderr)
    return code
