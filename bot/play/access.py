"""Whether people can play where a match is: asked of Discord when that decides something.

Roles, time-outs and who has left are not among the events that the bot receives. So it asks when a match is about to be
resumed, and when somebody is about to lose by the clock.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Mapping
from typing import Final, Protocol

from bot.play.refusals import NotAllCanPlay
from bot.store.queries.matches import Obstacle
from engines.game import Seat

ASK_SECONDS: Final = 5.0
"""How long to wait for Discord's answer."""


class Access(Protocol):
    """Knows who can play where."""

    async def obstacle(self, guild_id: int, channel_id: int, user_id: int, /) -> Obstacle | None:
        """What keeps a person from playing in a channel or thread; None if nothing does. May raise anything."""


async def obstacles(access: Access, guild_id: int, channel_id: int, users: Iterable[int]) -> Mapping[int, Obstacle]:
    """What keeps each of these people from playing in a channel; without those whom nothing does.

    For those about whom Discord does not answer within `ASK_SECONDS` it is `Obstacle.UNKNOWN`.
    """

    async def ask(user: int) -> Obstacle | None:
        try:
            return await asyncio.wait_for(access.obstacle(guild_id, channel_id, user), ASK_SECONDS)
        except Exception:  # noqa: BLE001  whatever went wrong, nothing is known
            return Obstacle.UNKNOWN

    asked = tuple(users)
    found = await asyncio.gather(*(ask(user) for user in asked))
    return {user: obstacle for user, obstacle in zip(asked, found, strict=True) if obstacle is not None}


def check_all_can_play(agreed: Collection[Seat], obstacles: Mapping[Seat, Obstacle]) -> None:
    """Raise NotAllCanPlay unless every player can follow a match where the seats that `agreed` pressed. `obstacles` is
    what keeps the seats that are in from playing there.

    Who pressed there can play there. For a player who has left the server there is no venue: their clock runs as it
    does for anybody who is absent. Where Discord did not say whether somebody can play, a second player has to agree.
    """
    waiting = {
        seat: obstacle
        for seat, obstacle in sorted(obstacles.items())
        if seat not in agreed and obstacle is not Obstacle.GONE
    }
    known = {seat: obstacle for seat, obstacle in waiting.items() if obstacle is not Obstacle.UNKNOWN}
    if known:
        raise NotAllCanPlay(*next(iter(known.items())))
    if waiting and len(agreed) < 2:
        raise NotAllCanPlay(*next(iter(waiting.items())))
