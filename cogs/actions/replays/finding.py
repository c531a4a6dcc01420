"""Finds the finished match that somebody asks for, and refuses all others in the same words at the same cost."""

from __future__ import annotations

import re
from typing import Final

from bot.play.live_match import LiveMatch
from bot.play.refusals import Refused
from bot.store.rows.matches import MatchRow
from bot.store.rows.replays import FinishedMatch
from cogs.app import CardroomApp
from cogs.interactions.places import place_id_of
from cogs.interactions.responses import Interaction
from cogs.screens.presenter import Reader
from cogs.screens.replays.replay_screen import ShownReplay

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


async def opened(app: CardroomApp, interaction: Interaction, finished: FinishedMatch) -> tuple[ShownReplay, Reader]:
    """The replay of a match that somebody may see, and who reads it. Raises what `OpenReplays.open` raises."""
    replay, match = await app.replays.open(finished)
    reader = await app.readers.pressing(interaction, match, match.seat_of(interaction.user.id))
    return ShownReplay(replay, match, app.presenters[match.game.info.key], finished), reader
