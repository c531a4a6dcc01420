"""D4: how many edits of messages older than an hour a channel takes.

A run leaves one message for that. A run an hour later finds it, edits it, and removes it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, Final

from bot.ui.catalogue import Translations
from tools.prove.api import Answer, Api
from tools.prove.bodies import SILENT, edited, texts
from tools.prove.clock_offset import made_at
from tools.prove.edit_limits import series
from tools.prove.report import Measure, measured, not_measured

OLD: Final = 3_600_000
"""Milliseconds."""
EXPECTED: Final = 3
TOO_MANY_EDITS: Final = 30046
"""Discord's error code (https://discord.com/developers/docs/topics/opcodes-and-status-codes#json)."""
MOST, SPACING, WITHIN = 12, 1.0, 20.0
NAME: Final = "edits of an old message, 1 a second"
NONE_YET: Final = "run again with --again in an hour"


async def measure(api: Api, channel: str, own_id: int, say: Translations) -> AsyncIterator[Measure]:
    """Edit a message of an earlier run, if there is one older than an hour, and remove all of them.

    It first posts one for the next run, whose id also tells Discord's time, and keeps it if there is no other.
    """
    posted = await api.request("POST", f"{channel}/messages", texts(say("place.prove_kept"), flags=SILENT))
    if not posted.taken:
        yield not_measured(NAME, str(posted))
        return
    newest = int(posted.body["id"])
    earlier = [each for each in await _kept(api, channel, own_id, say) if each < newest]
    old = [each for each in earlier if made_at(newest) - made_at(each) > OLD]
    if old:
        yield await _edits(api, f"{channel}/messages/{old[0]}", say)
    else:
        yield not_measured(NAME, NONE_YET)
    for each in (*(earlier if old else ()), *([newest] if earlier else ())):
        await api.request("DELETE", f"{channel}/messages/{each}")


async def _edits(api: Api, path: str, say: Translations) -> Measure:
    async def edit() -> Answer:
        return await api.request("PATCH", path, edited(texts(say("place.prove_kept"))), at_once=True)

    result = await series(edit, MOST, SPACING, WITHIN)
    end = result.refusal
    as_expected = result.taken == EXPECTED and end is not None and end.code == TOO_MANY_EDITS
    return measured(NAME, str(result), f"{EXPECTED}, then code {TOO_MANY_EDITS}", as_expected=as_expected)


async def _kept(api: Api, channel: str, own_id: int, say: Translations) -> list[int]:
    """The messages that runs left among the last hundred of a channel, the oldest first."""
    answer = await api.request("GET", f"{channel}/messages?limit=100")
    found = answer.body if answer.taken else []
    return sorted(int(each["id"]) for each in found if _is_kept(each, own_id, say))


def _is_kept(message: dict[str, Any], own_id: int, say: Translations) -> bool:
    first: dict[str, Any] = next(iter(message.get("components", ())), {})
    return int(message["author"]["id"]) == own_id and first.get("content") == say("place.prove_kept")
