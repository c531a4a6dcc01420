"""People who look at the proof of a deal and add salts to it.

A salt names its owner and its match, so that laws know whose it is wherever they read it.
"""

from __future__ import annotations

import random
import re
from typing import Final

from cogs.screens import custom_ids
from discord_sandbox import Button, MessageView, Person, Reply

PROOF: Final = "proof"
MORE: Final = "more"
FORM: Final = "saltform"
SALT: Final = "salt"
"""The verbs of the button that shows a proof, of the one that opens the form, and of the form."""

_SALT: Final = re.compile(r"PINCH([0-9]+)M([a-z0-9]+)R([0-9a-f]{8})")
MARK: Final = "PINCH"
"""What all salts have in them."""


def salt_of(person: int, match_id: str, chance: random.Random) -> str:
    """A salt of a person for a match."""
    return f"{MARK}{person}M{match_id}R{chance.randbytes(4).hex()}"


def salts_in(text: str) -> list[tuple[str, int, str]]:
    """The salts in a text, each with its owner and its match."""
    return [(found[0], int(found[1]), found[2]) for found in _SALT.finditer(text)]


async def look_at_proof(person: Person, message: MessageView) -> Reply | None:
    """Press *Proof*, or *More…* first where it is behind that; None where there is no such button."""
    button, more = _button(message, PROOF), _button(message, MORE)
    if button is None and more is not None:
        opened = await person.press(message, custom_id=more.custom_id)
        if opened.message_or_none is None:
            return None
        message = opened.message
        button = _button(message, PROOF)
    return None if button is None else await person.press(message, custom_id=button.custom_id)


async def add_salt(person: Person, message: MessageView, chance: random.Random) -> None:
    """Add a salt to the deal of an invitation, if its message and the answers let one. Nothing is tried twice."""
    proof = await look_at_proof(person, message)
    if proof is None or proof.message_or_none is None:
        return
    button = _button(proof.message, FORM)
    if button is None:
        return
    opened = await person.press(proof.message, custom_id=button.custom_id)
    if opened.modal_or_none is not None:
        (field,) = opened.modal.labels
        match_id, _ = custom_ids.read(button.custom_id)
        await person.submit(opened.modal, {field: salt_of(person.id, match_id, chance)})


def _button(message: MessageView, verb: str) -> Button | None:
    """The button of ours with this verb."""
    for button in message.buttons:
        try:
            if custom_ids.read(button.custom_id)[1].verb == verb:
                return button
        except custom_ids.UnknownCustomId:
            continue
    return None
