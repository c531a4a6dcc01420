"""What Discord would refuse in a message, asked without sending one."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from discord_sandbox.model.errors import Faults
from discord_sandbox.model.wire import JsonObject
from discord_sandbox.validation.components import Media, read_components
from discord_sandbox.validation.forms import Form


def refusals(components: Sequence[JsonObject], emojis: Collection[int] = (), files: Collection[str] = ()) -> JsonObject:
    """What Discord would refuse in a message of these V2 components: its own tree of errors, empty if it takes them.

    `emojis` are the ids of custom emojis that the bot may use, `files` the names of files that are sent with it.
    """
    media = Media({name: {"id": str(number), "url": "", "proxy_url": ""} for number, name in enumerate(files, 1)})
    found = Faults()
    read_components(Form({"components": [*components]}, found), v2=True, custom_emojis=emojis, media=media)
    return found.tree
