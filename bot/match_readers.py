"""What each reader may derive of a match: not only what a screen shows them, but all that follows from it.

Everything that finds a match for somebody asks it. Who has deleted their data is no player of their former
matches any more.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, IntEnum, auto
from types import MappingProxyType
from typing import Final


class Reader(Enum):
    """Who wants to know."""

    PLAYER = auto()
    """Plays or played it, and is in its server."""
    MEMBER = auto()
    """Is in its server."""
    STRANGER = auto()
    """Is anywhere else."""


class Stage(Enum):
    """What a match is, as far as that decides what may be known of it."""

    IN_PLAY = auto()
    CLOSED = auto()
    """Is practice in play, or has a deal that others may still play, that of the day or a shared one, and may be over
    itself."""
    FINISHED = auto()
    PRIVATE = auto()
    """Over, and all of its people want it to be for them alone, as practice is from its beginning; or it was begun from
    such a match."""


class Derivable(IntEnum):
    """How much may be derived. Each has all that is before it."""

    NOTHING = 0
    """Not even that there is such a match."""
    SEAL = 1
    """That it is as it was sealed, with the seal and the log's hash: what its public result leads to."""
    TABLE = 2
    """What lies open on the table, and the hashes of the salts."""
    HAND = 3
    """And what one player holds and has seen."""
    ALL = 4
    """And every card, the seed, and the salts."""


DERIVABLE: Final[Mapping[Stage, Mapping[Reader, Derivable]]] = MappingProxyType(
    {
        Stage.IN_PLAY: {Reader.PLAYER: Derivable.HAND, Reader.MEMBER: Derivable.TABLE},
        Stage.CLOSED: {Reader.PLAYER: Derivable.HAND},
        Stage.FINISHED: {Reader.PLAYER: Derivable.ALL, Reader.MEMBER: Derivable.ALL},
        Stage.PRIVATE: {Reader.PLAYER: Derivable.ALL, Reader.MEMBER: Derivable.SEAL},
    }
)
"""Nothing for everybody else."""


def may_derive(stage: Stage, reader: Reader) -> Derivable:
    """How much a reader may derive of a match."""
    return DERIVABLE[stage].get(reader, Derivable.NOTHING)


def reader_of(*, here: bool, seated: bool) -> Reader:
    """Who somebody is to a match: `here` if they ask in its server, or in the direct messages to which it belongs."""
    if not here:
        return Reader.STRANGER
    return Reader.PLAYER if seated else Reader.MEMBER
