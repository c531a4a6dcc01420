"""What people get by `/mydata export`."""

from __future__ import annotations

import json
from typing import Any

import aiohttp

from bot.ui.catalogue import translations
from cogs.personal_data.export import FORM
from discord_sandbox import DrivenChannel, Person
from tests.end_to_end.cardroom import eventually
from tests.end_to_end.practising import says

say = translations("en")


async def exported(person: Person, channel: DrivenChannel) -> dict[str, Any]:
    reply = await person.slash(channel, "mydata export")
    assert reply.visibility == "ephemeral"
    await eventually(lambda: says(reply.message, say("mydata.exported")))  # it may be deferred
    attachments: Any = reply.message.raw["attachments"]
    (attachment,) = attachments
    async with aiohttp.ClientSession() as session, session.get(attachment["url"]) as answer:
        held: dict[str, Any] = json.loads(await answer.read())
    assert held["form"] == FORM
    return held
