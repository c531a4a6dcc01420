"""Boards through the token of a press (decision 33): which messages it edits, and whether Discord counts that apart.

A press that accepts a challenge is answered by updating the challenge, which is the board from then on. The bot edits
it through that press's token, and by its own token if Discord refuses.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Final

from tools.prove.api import Answer
from tools.prove.bodies import edited, texts, with_button
from tools.prove.report import Measure, measured, not_measured
from tools.prove.scene import UPDATE, Press, Scene

PRESS_WITHIN: Final = 90.0
"""Seconds the operator has for the press."""
BETWEEN: Final = 3
"""How many edits through the token are made between two by the bot's own."""
UNKNOWN_MESSAGE: Final = "refused (404, code 10008)"
UPDATED: Final = "an edit of the message that a press has updated, through its token"
APART: Final = "edits through a token, beside the bot's own"


async def measure(scene: Scene) -> AsyncIterator[Measure]:
    """Edit the message with *Start*, whose press was answered in private, and then one that a press has updated."""
    refused = await _edit(scene, f"{scene.press.hook}/messages/{scene.board_id}")
    yield measured(
        "an edit of the message that was pressed, through the token of a private answer",
        str(refused),
        UNKNOWN_MESSAGE,
        as_expected=str(refused) == UNKNOWN_MESSAGE,
    )
    custom_id = f"{scene.mark}:board"
    body = with_button(scene.say("place.prove_press_here"), scene.say("place.prove_here"), custom_id)
    posted = await scene.post(body)
    if not posted.taken:
        yield not_measured(UPDATED, str(posted))
        return
    scene.tell("Now press *Here* in the channel.")
    pressed = await scene.presses.wait_for(custom_id, PRESS_WITHIN)
    if pressed is None:
        yield not_measured(UPDATED, "nobody pressed the button")
        return
    await scene.answer(pressed, edited(texts(scene.say("place.prove_message"))), UPDATE)
    yield await _by_token(scene, pressed, str(posted.body["id"]))
    yield await _apart(scene, pressed, f"{scene.channel_path}/messages/{posted.body['id']}")


async def _by_token(scene: Scene, pressed: Press, message_id: str) -> Measure:
    answer = await _edit(scene, f"{pressed.hook}/messages/@original")
    another = " (another message)" if answer.taken and str(answer.body["id"]) != message_id else ""
    return measured(UPDATED, f"{answer}{another}", "taken", as_expected=answer.taken and not another)


async def _apart(scene: Scene, pressed: Press, path: str) -> Measure:
    """Whether edits through the token leave as many of the channel's edits to the bot's own token."""
    before = await _edit(scene, path)
    between = [await _edit(scene, f"{pressed.hook}/messages/@original") for _ in range(BETWEEN)]
    after = await _edit(scene, path, at_once=True)
    refused = [each for each in (before, *between) if not each.taken]
    if refused:
        return not_measured(APART, str(refused[0]))
    left = [int(each.headers.get("X-RateLimit-Remaining", -1)) for each in (before, after)]
    if -1 in left:
        return not_measured(APART, "Discord does not say how many edits are left")
    # The channel's time may begin again meanwhile: then more are left than before.
    apart = after.taken and left[0] - left[1] <= 1
    return measured(APART, "counted apart" if apart else "counted together", "counted apart", as_expected=apart)


async def _edit(scene: Scene, path: str, *, at_once: bool = False) -> Answer:
    body = edited(texts(scene.say("place.prove_message")))
    return await scene.api.request("PATCH", path, body, at_once=at_once)
