"""D1 and archived threads: what the bot may do in a thread that it is not in, and in one that is archived.

Both want a press there, so the operator is asked for one. In a private thread that a bot is not in, it can answer a
press, but it can't edit or post by its own token. Permissions do not show that.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, Final

from tools.prove.api import Answer
from tools.prove.scene import (
    EPHEMERAL,
    PRESS_WITHIN,
    Measure,
    Press,
    Scene,
    edited,
    measured,
    not_measured,
    texts,
    with_button,
)

PRIVATE_THREAD, PUBLIC_THREAD = 12, 11
CAN_HAVE_THREADS: Final = frozenset({0})
ARCHIVE_MINUTES: Final = 60
NO_ACCESS: Final = "refused (403, code 50001)"
ARCHIVED: Final = "refused (400, code 50083)"
MANAGE_THREADS: Final = 1 << 34
PRIVATE: Final = "private thread that the bot is not in"
CLOSED: Final = "archived thread"


async def private(scene: Scene) -> AsyncIterator[Measure]:
    """Begin a private thread with the operator, leave it, and see what works there."""
    thread = await _begin(scene, PRIVATE_THREAD)
    if not thread.taken:
        yield not_measured(PRIVATE, f"the bot can't begin one: {thread}")
        return
    path = f"/channels/{thread.body['id']}"
    await scene.api.request("PUT", f"{path}/thread-members/{scene.press.user_id}")
    message, custom_id = await _with_button(scene, path)
    await scene.api.request("DELETE", f"{path}/thread-members/@me")
    scene.tell("Now press *Here* in the private thread.")
    pressed = await scene.presses.wait_for(custom_id, PRESS_WITHIN)
    if pressed is None:
        yield not_measured(f"a press in a {PRIVATE}", "nobody pressed the button")
    else:
        yield _answered(f"a press in a {PRIVATE}", await _answer(scene, pressed))
    edit = await _edit(scene, path, message)
    managing = bool(scene.press.permissions & MANAGE_THREADS)
    expected = "taken" if managing else NO_ACCESS
    yield measured(f"an edit in a {PRIVATE}", str(edit), expected, as_expected=str(edit) == expected)
    if not managing:
        scene.left_behind.append("a private thread stays: please delete it")


async def archived(scene: Scene) -> AsyncIterator[Measure]:
    """Begin a thread, archive it, and see what works there."""
    thread = await _begin(scene, PUBLIC_THREAD)
    if not thread.taken:
        yield not_measured(CLOSED, f"the bot can't begin one: {thread}")
        return
    path = f"/channels/{thread.body['id']}"
    message, custom_id = await _with_button(scene, path)
    closed = await scene.api.request("PATCH", path, {"archived": True})
    if not closed.taken:
        yield not_measured(CLOSED, f"the bot can't archive it: {closed}")
        return
    edit = await _edit(scene, path, message)
    yield measured(f"an edit in an {CLOSED}", str(edit), ARCHIVED, as_expected=str(edit) == ARCHIVED)
    scene.tell("Now press *Here* in the archived thread, which hangs on the message with *Start*.")
    pressed = await scene.presses.wait_for(custom_id, PRESS_WITHIN)
    if pressed is None:
        yield not_measured(f"a press in an {CLOSED}", "nobody pressed the button")
    else:
        yield _answered(f"a press in an {CLOSED}", await _answer(scene, pressed))
    if not scene.press.permissions & MANAGE_THREADS:
        scene.left_behind.append("a public thread stays: please delete it")


async def _begin(scene: Scene, kind: int) -> Answer:
    body: dict[str, Any] = {"name": scene.say("place.prove_thread"), "auto_archive_duration": ARCHIVE_MINUTES}
    if scene.channel["type"] not in CAN_HAVE_THREADS:
        return Answer(400, 50024)
    if kind == PUBLIC_THREAD:  # begun on a message, it leaves no line of Discord's own in the channel
        path = f"{scene.channel_path}/messages/{scene.board_id}/threads"
    else:
        path, body = f"{scene.channel_path}/threads", {**body, "type": kind, "invitable": False}
    thread = await scene.api.request("POST", path, body)
    if thread.taken and scene.press.permissions & MANAGE_THREADS:
        scene.remove_later(f"/channels/{thread.body['id']}")
    return thread


async def _with_button(scene: Scene, path: str) -> tuple[int, str]:
    """Post a message with a button in a thread; its id and the button's. It goes with the thread."""
    custom_id = f"{scene.mark}:{path.rpartition('/')[2]}"
    body = with_button(scene.say("place.prove_press_here"), scene.say("place.prove_here"), custom_id)
    answer = await scene.api.request("POST", f"{path}/messages", body)
    return (int(answer.body["id"]) if answer.taken else 0), custom_id


async def _edit(scene: Scene, path: str, message: int) -> Answer:
    body = edited(texts(scene.say("place.prove_message")))
    return await scene.api.request("PATCH", f"{path}/messages/{message}", body)


async def _answer(scene: Scene, press: Press) -> Answer:
    return await scene.answer(press, texts(scene.say("place.prove_thanks"), flags=EPHEMERAL))


def _answered(name: str, answer: Answer) -> Measure:
    return measured(name, f"arrives, answer {answer}", "arrives, answer taken", as_expected=answer.taken)
