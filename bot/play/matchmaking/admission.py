"""Who may play, and with whom: what rooms have a say in, asked wherever an invitation or a match begins.

What a room answers holds for that moment. It is asked again when somebody sits down, and nothing ends a match in play.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass, field
from typing import TypeAlias

from bot.play.refusals import Refused, Unsaved, translate_errors
from bot.store.special_ids import people
from bot.ui.isolation import mention

MayPlay: TypeAlias = Callable[[int, int], Awaitable[None]]
"""Given a server and a person: it raises Refused, with what they read, if they may begin nothing there. It may raise
StoreError."""
KeptApart: TypeAlias = Callable[[int, Collection[int]], Awaitable[Collection[int]]]
"""Given a person and others: with which of them they must not be brought together, even if only one of the two wants
that. It may raise StoreError."""
Avoids: TypeAlias = KeptApart
"""Given a person and others: which of them the person wants nothing to do with. Nobody but them may read it.
It may raise StoreError."""


@dataclass(slots=True, eq=False)
class Admission:
    """What all rooms say. Without rooms everybody may play with everybody."""

    may_play: list[MayPlay] = field(default_factory=list)
    kept_apart: list[KeptApart] = field(default_factory=list)
    avoids: list[Avoids] = field(default_factory=list)

    def add(self, may_play: MayPlay | None, kept_apart: KeptApart | None, avoids: Avoids | None = None) -> None:
        """Have a room asked, as far as it has a say."""
        self.may_play.extend([] if may_play is None else [may_play])
        self.kept_apart.extend([] if kept_apart is None else [kept_apart])
        self.avoids.extend([] if avoids is None else [avoids])

    async def check_player(self, guild_id: int, user_id: int) -> None:
        """Raise Refused if somebody may begin nothing in a server. The message is for them."""
        for check in self.may_play:
            await translate_errors(check(guild_id, user_id))

    async def may_begin(self, guild_id: int, user_id: int) -> bool:
        """Whether somebody may begin something in a server. Raises Unsaved."""
        try:
            await self.check_player(guild_id, user_id)
        except Unsaved:
            raise
        except Refused:
            return False
        return True

    async def check_guests(self, guild_id: int, host: int, guests: Collection[int]) -> None:
        """Raise Refused if a host cannot play with one of these people. The message doesn't say why, or who wants
        it."""
        if unwelcome := await self._unwelcome(guild_id, host, guests):
            raise Refused("challenge.takes_none", player=mention(next(guest for guest in guests if guest in unwelcome)))

    async def check_company(self, guild_id: int, user_id: int, others: Collection[int]) -> None:
        """Raise Refused if somebody cannot sit down with these. The message doesn't say why, or with whom."""
        if await self._unwelcome(guild_id, user_id, people(others)):
            raise Refused("table.not_now")

    async def _unwelcome(self, guild_id: int, user_id: int, others: Collection[int]) -> set[int]:
        """With whom of these people somebody cannot play: they are kept apart, or the other may not play."""
        found = await self.apart(user_id, others)
        return found | {other for other in others if not await self.may_begin(guild_id, other)}

    async def apart(self, user_id: int, others: Collection[int]) -> set[int]:
        """With whom of these somebody must not be brought together; computers are passed over."""
        return await _found_by(self.kept_apart, user_id, others)

    async def avoided(self, user_id: int, others: Collection[int]) -> set[int]:
        """Which of these somebody wants nothing to do with. It is for their eyes alone: nothing is said of those who
        want nothing to do with them."""
        return await _found_by(self.avoids, user_id, others)


async def _found_by(asking: Collection[KeptApart], user_id: int, others: Collection[int]) -> set[int]:
    found: set[int] = set()
    asked = [other for other in people(others) if other != user_id]
    if asked:
        for ask in asking:
            found.update(await translate_errors(ask(user_id, asked)))
    return found
