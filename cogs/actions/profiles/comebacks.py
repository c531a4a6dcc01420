"""Looks for somebody's first comeback among their wins, a few at a time, and notes how far it has looked."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import Final

from bot.games import GAMES
from bot.play.match_state import codec
from bot.store.errors import StoreError
from bot.store.rows.matches import MatchRow, Record
from bot.store.rows.profiles import ComebackSearch
from cogs.app import CardroomApp
from cogs.screens.endings import COMMON
from cogs.screens.profiles.comebacks import was_far_behind
from cogs.screens.profiles.profile import Award, AwardKind

MOST_WINS: Final = 10
"""How many wins one profile looks at: their logs are read and folded. The next profile looks at those after them."""

_log = logging.getLogger(__name__)


async def first_comeback(app: CardroomApp, guild_id: int, user_id: int) -> Award | None:
    """The award for somebody's first comeback in a server, if it was found so far. Raises StoreError."""
    store = app.store
    known = await store.comeback_search(guild_id, user_id)
    search = known
    if search.found is None:
        for number, match_id in await store.wins_after(guild_id, user_id, search.searched, MOST_WINS):
            search = ComebackSearch(number, match_id if await _is_comeback(app, match_id, user_id) else None)
            if search.found is not None:
                break
    if search != known:
        with suppress(StoreError):  # then the next profile looks at the same wins again
            await store.note_comeback_search(guild_id, user_id, search)
    return None if search.found is None else await _award(app, search.found)


async def _award(app: CardroomApp, match_id: str) -> Award | None:
    row, result = await app.store.match(match_id), await app.store.result(match_id)
    return None if row is None or result is None else Award(AwardKind.COMEBACK, result.ended_at, row.game)


async def _is_comeback(app: CardroomApp, match_id: str, user_id: int) -> bool:
    row, result = await app.store.match(match_id), await app.store.result(match_id)
    if row is None or result is None or row.game not in GAMES or user_id not in row.seats:
        return False
    if result.kind in COMMON:
        return False  # the game did not decide it: somebody left, or was too slow
    records = await app.store.records(match_id)
    return await asyncio.to_thread(_judged, app, row, records, user_id)


def _judged(app: CardroomApp, row: MatchRow, records: list[Record], user_id: int) -> bool:
    game, reading = GAMES[row.game], codec(row.game)
    try:
        facts = [reading.decode_all(record.events) for record in records]
        state = game.start(reading.decode(row.options), len(row.seats))
        return was_far_behind(game, state, facts, app.presenters[row.game], row.seats.index(user_id))
    except Exception as error:  # noqa: BLE001  a log that can't be read costs an award, and no profile
        _log.warning("match %s can't be searched for a comeback: %s", row.id, type(error).__name__)
        return False
