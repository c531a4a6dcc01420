"""First comebacks: wins of somebody who had been far behind, by the numbers that everybody could see."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from bot.games import GAMES
from bot.play.closed_deals import ClosedDeals
from bot.play.match_state import codec
from bot.store.errors import StoreError
from bot.store.queries.matches import MatchRow, Record
from bot.store.store import Store
from cogs.profiles.queries import ComebackSearch, ProfileQueries
from cogs.profiles.screens import Award, AwardKind
from cogs.screens.endings import COMMON
from cogs.screens.presenter import Presenter, Presenters
from engines.game import AnyGame, Event, Seat, fold

MOST_WINS: Final = 10
"""How many wins one profile looks at: their logs are read and folded. The next profile looks at those after them."""

_log = logging.getLogger(__name__)


@dataclass(slots=True, eq=False)
class Comebacks:
    """Looks for first comebacks among the wins of people."""

    store: Store
    queries: ProfileQueries
    presenters: Presenters
    closed_deals: ClosedDeals

    async def first(self, guild_id: int, user_id: int) -> Award | None:
        """The award for somebody's first comeback in a server, if it was found so far. Raises StoreError."""
        known = await self.queries.comeback_search(guild_id, user_id)
        search = known
        if search.found is None:
            for number, match_id in await self.queries.wins_after(guild_id, user_id, search.searched, MOST_WINS):
                row = await self.store.match(match_id)
                if row is not None and self.closed_deals.closing(row) is not None:
                    break  # this win and those after it are looked at when its deal is open
                found = row is not None and await self._is_comeback(row, user_id)
                search = ComebackSearch(number, match_id if found else None)
                if search.found is not None:
                    break
        if search != known:
            with suppress(StoreError):  # then the next profile looks at the same wins again
                await self.queries.note_comeback_search(guild_id, user_id, search)
        return None if search.found is None else await self._award(search.found)

    async def _award(self, match_id: str) -> Award | None:
        row, result = await self.store.match(match_id), await self.store.result(match_id)
        return None if row is None or result is None else Award(AwardKind.COMEBACK, result.ended_at, row.game)

    async def _is_comeback(self, row: MatchRow, user_id: int) -> bool:
        result = await self.store.result(row.id)
        if result is None or row.game not in GAMES or user_id not in row.seats:
            return False
        if result.kind in COMMON:
            return False  # the game did not decide it: somebody left, or was too slow
        records = await self.store.records(row.id)
        return await asyncio.to_thread(self._judged, row, records, user_id)

    def _judged(self, row: MatchRow, records: list[Record], user_id: int) -> bool:
        game, reading = GAMES[row.game], codec(row.game)
        try:
            facts = [reading.decode_all(record.events) for record in records]
            state = game.start(reading.decode(row.options), len(row.seats))
            return was_far_behind(game, state, facts, self.presenters[row.game], row.seats.index(user_id))
        except Exception as error:  # noqa: BLE001  a log that can't be read costs an award, and no profile
            _log.warning("match %s can't be searched for a comeback: %s", row.id, type(error).__name__)
            return False


def was_far_behind(
    game: AnyGame, state: Any, records: Iterable[Sequence[Event]], presenter: Presenter, seat: Seat
) -> bool:
    """Whether a seat was ever far behind in a match, after one of its records.

    `state` is the one before the deal, and `records` are the facts of each record, in their order. It takes a
    millisecond or a few, so do it outside the event loop. Raises what the rules raise for facts that they cannot read.
    """
    for facts in records:
        state = fold(game, state, facts)
        lead = presenter.lead(game.observe_public(state))
        if lead is not None and lead.is_far_behind(seat):
            return True
    return False
