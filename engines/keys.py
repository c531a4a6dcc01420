"""Records the keys of a match's chance, and uses them again.

In version 1 of a deal every key is an HMAC over a context that names the players' ids (`engines.deals`). Stored keys
deal the same cards without the ids. So a match can still be checked after a player had their id removed from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from engines.chance import USE, SeededChance
from engines.deals import Deal

Keys: TypeAlias = Mapping[str, bytes]
"""Keys by their purpose: ``<deal>:<pack's id>``, and ``<deal>:<pack's id>:<name>:<seq>`` for another use."""


def _use(number: int, pack_id: str, tail: str) -> str:
    return f"{number}:{pack_id}{tail.removeprefix(USE)}"


class NotingChance(SeededChance):
    """Chance that records every key it makes in `keys`."""

    __slots__ = ("_noted",)

    def __init__(self, seed: bytes, deal: Deal, seq: int, pack_id: str, noted: dict[str, bytes]) -> None:
        super().__init__(seed, deal, seq, pack_id)
        self._noted = noted

    def _key(self, number: int, pack_id: str, tail: str = "") -> bytes:
        key = super()._key(number, pack_id, tail)
        self._noted[_use(number, pack_id, tail)] = key
        return key


class KeptChance(SeededChance):
    """Chance from recorded keys, without seed and players. Raises KeyError for a use without a key."""

    __slots__ = ("_kept",)

    def __init__(self, deal: Deal, seq: int, pack_id: str, kept: Keys) -> None:
        super().__init__(b"", deal, seq, pack_id)
        self._kept = kept

    def _key(self, number: int, pack_id: str, tail: str = "") -> bytes:
        return self._kept[_use(number, pack_id, tail)]
