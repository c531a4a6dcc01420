"""Faults in who is stored, and in what is left of who has deleted everything."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, Final

import discord

from bot.store.queries import deleting
from cogs.interactions.venues import venue_id_of
from cogs.profiles.commands import Profiles
from tests.simulation.planted.fault import Fault, Patch, replaced
from tests.simulation.weather_fields import Weather

_LAW: Final = frozenset({"stored are allowed"})
_LOOKS: Final = Weather(games=("haymaker",), tables=1, thinking=1.0, looks=0.3)
_DELETIONS: Final = Weather(games=("haymaker",), tables=1, thinking=0.5, deletions=1.0)


def _storing(where: Any, name: str) -> Patch:
    """Have a method of a capability remember the people that it is given."""
    shows: Callable[..., Coroutine[Any, Any, Any]] = getattr(where, name)

    async def store_and_show(capability: Any, interaction: Any, *given: Any, seen: Any = (), **more: Any) -> Any:
        people = [*given, *(seen if isinstance(seen, tuple) else (seen,))]
        for user in people:
            if isinstance(user, discord.abc.User):
                names = capability.wording.display_names
                await names.remember(venue_id_of(interaction), user.id, user.display_name)
        return await shows(capability, interaction, *given, **({"seen": seen} if seen else {}), **more)

    return replaced(where, name, store_and_show)


PRIVACY: Final = (
    Fault("N2b", "a profile stores whom it is of", _LAW, _LOOKS, (1, 2), 0.05, (_storing(Profiles, "show"),)),
    Fault(
        "rows kept",
        "a deletion takes a name and leaves the id in matches and invitations",
        _LAW,
        _DELETIONS,
        (1, 2),
        0.1,
        (replaced(deleting, "STAGES_OF_PERSON", deleting.STAGES_OF_PERSON[-1:]),),
    ),
)
