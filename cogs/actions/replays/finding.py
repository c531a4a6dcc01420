"""Finds the finished match that somebody asks for, and refuses all others in the same words at the same cost."""

from __future__ import annotations

import re
from collections import OrderedDict
from typing import Final

from bot.games import GAMES
from bot.play.daily.days import begins_at
from bot.play.live_match import LiveMatch
from bot.play.refusals import NotInstalled, Refused
from bot.play.replays.replay import Replay
from bot.store.rows.matches import MatchRow
from bot.store.rows.replays import FinishedMatch
from cogs.app import CardroomApp
from cogs.interactions.places import place_id_of
from cogs.interactions.responses import Interaction
from cogs.screens.presenter import Reader
from cogs.screens.replays.replay_screen import ShownReplay

REMEMBERED: Final = 16
"""How many replays are kept in memory, so that a step isn't worked out from the whole log."""

_CODE: Final = re.compile(r"[a-z0-9_]{1,24}")


async def find(app: CardroomApp, interaction: Interaction, typed: str) -> FinishedMatch:
    """The finished match of this place with a code, if the person may see it.

    Raises Refused, the same for what is not there, is another server's, is private, is being played, or tries a deal
    of the day that is still closed.
    """
    code = typed.strip(" `").lower()
    if _CODE.fullmatch(code):
        found = await app.store.finished_match(place_id_of(interaction), code, interaction.user.id, app.daily.today())
        if found is not None and app.daily.closed_until(found.row) is None:
            return found
    raise Refused("replay.unknown")


async def check_visible(app: CardroomApp, interaction: Interaction, match: LiveMatch | MatchRow) -> None:
    """Raise Refused for a finished match that is private, unless the person played it."""
    if interaction.user.id in match.seats:
        return
    found = await app.store.finished_match(match.guild_id, match.id, interaction.user.id, app.daily.today())
    if found is None:
        raise Refused("match.unknown")


class OpenReplays:
    """Replays that were opened lately, by the match."""

    def __init__(self, app: CardroomApp) -> None:
        self._app = app
        self._open: OrderedDict[str, tuple[Replay, LiveMatch]] = OrderedDict()

    async def open(self, interaction: Interaction, finished: FinishedMatch) -> tuple[ShownReplay, Reader]:
        """The replay of a match that somebody may see, and who reads it.

        Raises NotInstalled, and what `MatchRegistry.find` raises for a log that was altered or can't be read.
        """
        app, row = self._app, finished.row
        if row.game not in GAMES:
            raise NotInstalled(row.game)
        known = self._open.get(row.id)
        if known is None or known[0].row != row:
            known = await self._read(finished)
            self._open[row.id] = known
            if len(self._open) > REMEMBERED:
                self._open.popitem(last=False)
        self._open.move_to_end(row.id)
        replay, match = known
        reader = await app.seat_reader(interaction, match, match.seat_of(interaction.user.id))
        return ShownReplay(replay, match, app.presenters[row.game], finished), reader

    async def _read(self, finished: FinishedMatch) -> tuple[Replay, LiveMatch]:
        app, row = self._app, finished.row
        match = await app.matches.find(row.id)
        if match is None or not match.over:
            raise Refused("replay.unknown")
        records = await app.store.records(row.id)
        return Replay(row, records, finished.result, begins_at(app.daily.today())), match
