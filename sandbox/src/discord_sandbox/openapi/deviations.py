"""Where the sandbox or a client deviates from Discord's published description, and why that is right.

Each entry must be needed: one that nothing falls under any more is itself a fault of a whole run.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from discord_sandbox.openapi.description import Correction


@dataclass(frozen=True, slots=True)
class Deviation:
    """Faults of a side that are none. `operation` and `fault` are patterns for the whole text of each."""

    side: Literal["request", "answer"]
    operation: str
    fault: str
    reason: str

    def covers(self, side: str, operation: str, fault: str) -> bool:
        """Whether a fault falls under this deviation."""
        return (
            side == self.side
            and re.fullmatch(self.operation, operation) is not None
            and re.fullmatch(self.fault, fault) is not None
        )


CORRECTIONS = (
    Correction(
        ("InnerErrors", "properties", "_errors", "items"),
        {
            "type": "object",
            "properties": {"code": {"type": "string"}, "message": {"type": "string"}},
            "required": ["code", "message"],
        },
        "the code of a field's fault is a word, e.g. BASE_TYPE_REQUIRED (documentation, Error Messages); the "
        "description takes the schema of the whole error, whose code is a number",
    ),
)

DEVIATIONS = (
    Deviation(
        "request",
        "GET /no/such/route",
        "this address is not described",
        "a test asks on purpose for what is not there (tests/test_messages.py)",
    ),
    Deviation(
        "request",
        r"POST /channels/\{channel_id\}/messages",
        r".*\.colour: is not declared",
        "a test sends a key that Discord does not know, to see that it does not come back (test_given_back.py)",
    ),
    Deviation(
        "request",
        r"PATCH /webhooks/\{webhook_id\}/\{webhook_token\}/messages/@original",
        r"components\[\]\.content: .* is longer than 4000 characters",
        "a bot may ask on purpose for texts that are too long, to see where Discord cuts them off",
    ),
    Deviation(
        "request",
        ".*",
        r".*: (<id>|\d+) is not of type \"string\"",
        "Discord takes snowflakes as numbers too (documentation, API Reference, Snowflakes in ID fields); "
        "discord.py sends them so in allowed mentions, recipients and the indices of attachments",
    ),
    Deviation(
        "request",
        "(PATCH|POST) .*",
        r"(data\.|message\.)?tts: is not declared",
        "discord.py sends the key with every message it builds, edits too; Discord ignores what it does not know",
    ),
    Deviation(
        "request",
        "PUT /applications/.*/commands",
        r"\[\]\.nsfw: is not declared",
        "documented for commands (Application Command Object), only missing in the description's bulk request",
    ),
    Deviation(
        "request",
        "POST /channels/.*/threads",
        r"\?use_nested_fields: is not declared",
        "discord.py sends it for posts of forums, from the time when the message's fields could be beside the "
        "thread's; Discord ignores what it does not know",
    ),
    Deviation(
        "request",
        "POST /channels/.*/threads",
        r"type: is not declared",
        "discord.py sends the kind of thread to a forum too, whose posts have but one",
    ),
    Deviation(
        "request",
        "(PUT|PATCH|POST) .*",
        r"(permissions|allow|deny): \"\d+\" is not of types? .*",
        "permissions are strings (documentation, Permissions: since v8 they are serialized as strings); the "
        "description asks for numbers in requests and gives strings in answers",
    ),
    Deviation(
        "request",
        "PUT /channels/.*/permissions/.*",
        r"id: is not declared",
        "discord.py repeats the id of the address in the body",
    ),
    Deviation(
        "request",
        ".*",
        r"(data\.|message\.)?embeds\[\]\.flags: is not declared",
        "discord.py sends an embed's flags back as it has them; Discord ignores what it does not know",
    ),
    Deviation(
        "answer",
        ".* -> 429",
        r"\(the body\): null is not of type .*",
        "whom Discord has shut out for invalid requests is answered by the proxy before it, not with Discord's JSON "
        "(documentation, Invalid Request Limit)",
    ),
    Deviation(
        "answer",
        "POST /channels/.*/threads -> 201",
        r"message: is not declared",
        "documented (Start Thread in Forum or Media Channel: a channel object with a nested message object)",
    ),
    Deviation(
        "request",
        "PATCH /channels/.*/messages/.*",
        r"attachments\[\]\.(content_type|proxy_url|size|spoiler|url|width|height): is not declared",
        "discord.py sends the whole attachment for one that it keeps; Discord reads its id and ignores the rest",
    ),
    Deviation(
        "answer",
        ".*",
        r"(.*\.)?(interaction|triggering_interaction)_metadata\.(name|command_type): is not declared",
        "Discord sends both keys (practice); no documentation lists them",
    ),
    Deviation(
        "answer",
        ".*",
        r"(.*\.)?(media|file)\.(flags|loading_state): is not declared",
        "Discord sends both keys (discord.py reads them); no documentation lists them",
    ),
)

UNTRIED = {
    "GET /soundboard-default-sounds": (
        "asked for by py-cord alone, before it is ready; no library that the tests start asks for it"
    ),
    "PUT /applications/{application_id}/guilds/{guild_id}/commands/{command_id}/permissions": (
        "takes a person's token, and refuses the bot's (documentation, Edit Application Command Permissions)"
    ),
}
"""Addresses of the sandbox that no test gets a success from, with the reason."""
