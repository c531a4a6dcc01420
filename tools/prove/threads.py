"""D1 and archived threads: what the bot may do in a thread that it is not in, and in one that is archived.

Both want a press there, so the operator is asked for one. In a private thread that a bot is not in, it can answer a
press, but it can't edit or post by its own token. Permissions do not show that.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, Final

from tools.prove import scene as scenes
from tools.prove.api import Answer

PRIVATE_THREAD, PUBLIC_THREAD = 12, 11
CAN_HAVE_THREADS: Final = frozenset({0})
ARCHIVE_MINUTES: Final = 60
NO_ACCESS: Final = "refused (403, code 50001)"
ARCHIVED: Final = "refused (400, code 50083)"
MANAGE_THREADS: Final = 1 << 34
PRIVATE: Final = "private thread that the bot is not in"
CLOSED: Final = "archived thread"


async def private(scene: scenes.Scene) -> AsyncIterator[scenes.Measure]:
    """Begin a private thread with the operator, leave it, and see what works there."""
    path = await _begin(scene, PRIVATE_THREAD, PRIVATE)
    await scene.api.request("PUT", f"{path}/thread-members/{scene.press.user_id}")
    message, custom_id = await _with_button(scene, path)
    await scene.api.request("DELETE", f"{path}/thread-members/@me")
    yield await _press(scene, f"a press in a {PRIVATE}", custom_id, "private thread")
    edit = await scene.edit(message, scene.say("place.prove_message"))
    yield scenes.measured(f"an edit in a {PRIVATE}", edit, "taken" if _manages(scene) else NO_ACCESS)
    if not _manages(scene):
        scene.left_behind.append("a private thread stays: please delete it")


async def archived(scene: scenes.Scene) -> AsyncIterator[scenes.Measure]:
    """Begin a thread, archive it, and see what works there."""
    path = await _begin(scene, PUBLIC_THREAD, CLOSED)
    message, custom_id = await _with_button(scene, path)
    closed = await scene.api.request("PATCH", path, {"archived": True})
    if not closed.taken:
        raise scenes.CannotMeasure(CLOSED, f"the bot can't archive it: {closed}")
    edit = await scene.edit(message, scene.say("place.prove_message"))
    yield scenes.measured(f"an edit in an {CLOSED}", edit, ARCHIVED)
    where = "archived thread, which hangs on the message with *Start*"
    yield await _press(scene, f"a press in an {CLOSED}", custom_id, where)
    if not _manages(scene):
        scene.left_behind.append("a public thread stays: please delete it")


def _manages(scene: scenes.Scene) -> bool:
    return bool(scene.press.permissions & MANAGE_THREADS)


async def _begin(scene: scenes.Scene, kind: int, name: str) -> str:
    """Begin a thread; its address. It is removed after the run if the bot may do so. Raises CannotMeasure."""
    body: dict[str, Any] = {"name": scene.say("place.prove_thread"), "auto_archive_duration": ARCHIVE_MINUTES}
    if kind == PUBLIC_THREAD:  # begun on a message, it leaves no line of Discord's own in the channel
        path = f"{scene.channel_path}/messages/{scene.board_id}/threads"
    else:
        path, body = f"{scene.channel_path}/threads", {**body, "type": kind, "invitable": False}
    can_have_threads = scene.channel["type"] in CAN_HAVE_THREADS
    thread = await scene.api.request("POST", path, body) if can_have_threads else Answer(400, 50024)
    if not thread.taken:
        raise scenes.CannotMeasure(name, f"the bot can't begin one: {thread}")
    begun = f"/channels/{thread.body['id']}"
    if _manages(scene):
        scene.remove_later(begun)
    return begun


async def _with_button(scene: scenes.Scene, path: str) -> tuple[str, str]:
    """Post a message with a button in a thread; its address and the button's id. It goes with the thread."""
    custom_id = f"{scene.mark}:{path.rpartition('/')[2]}"
    body = scenes.with_button(scene.say("place.prove_press_here"), scene.say("place.prove_here"), custom_id)
    answer = await scene.api.request("POST", f"{path}/messages", body)
    return f"{path}/messages/{answer.body['id'] if answer.taken else 0}", custom_id


async def _press(scene: scenes.Scene, name: str, custom_id: str, where: str) -> scenes.Measure:
    """Whether a press in a thread arrives, and can be answered."""
    pressed = await scene.pressed_here(custom_id, where)
    if pressed is None:
        return scenes.not_measured(name, "nobody pressed the button")
    answer = await scene.answer(pressed, scenes.texts(scene.say("place.prove_thanks"), flags=scenes.EPHEMERAL))
    return scenes.measured(name, f"arrives, answer {answer}", "arrives, answer taken")
