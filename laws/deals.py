"""The laws on deals (`engines.deals`): one that is made again is the same with other players, and another salt of any
player makes another. Each raises AssertionError for a game that breaks it.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final, TypeVar

from bot.play.deals.sealing import deal_of
from bot.play.match_state import codec
from bot.store.queries.matches import MatchRow, Salt
from engines.chance import FIRST, Chance, Stream
from engines.deals import salt_digest
from engines.game import Event, IllegalAction, Seat
from laws.engine import happened
from laws.play import FIRST_USER, Deal, Odds, random_match

T = TypeVar("T")

DECK: Final = "deck 1"
SHUFFLED: Final = 20
"""Cards of a pack that two shuffles never bring into the same order."""


def it_is_the_same_with_seats_exchanged(deal: Deal, rng: random.Random, odds: Odds | None = None) -> None:
    """A match that is played again from the same deal, by the same acts, has the same facts with seats exchanged."""
    users = [FIRST_USER + seat for seat in range(deal.seats)]
    salts = [f"salt {seat}" for seat in range(deal.seats)]
    played = random_match(_sealed(deal, "once", users, salts), rng, odds)
    acts = [(move.actor, move.action) for move in played.moves]
    again = _sealed(deal, "again", [*users[1:], users[0]], salts)
    assert _happens(again, acts) == list(played.events()), "the same deal, played by others, is another match"


def another_salt_makes_another_deal(deal: Deal) -> None:
    """With another salt on any seat, everything that chance decides in the opening is decided by other keys."""
    users = [FIRST_USER + seat for seat in range(deal.seats)]
    salts = [""] * deal.seats
    plain = _sealed(deal, "once", users, salts)
    facts, shuffles = _opening(plain)
    pack = deal.game.pack(deal.options, deal.seats)
    for seat in range(deal.seats):
        salted = _sealed(deal, "once", users, [*salts[:seat], "a pinch", *salts[seat + 1 :]])
        same = salted.in_contexts.context(1, pack.pack_id) == plain.in_contexts.context(1, pack.pack_id)
        assert not same, f"the salt of seat {seat} takes no part in a key"
        if len(pack.cards) >= SHUFFLED and shuffles:
            assert _opening(salted)[0] != facts, f"the salt of seat {seat} changes nothing in the opening"


def _sealed(deal: Deal, match_id: str, users: Sequence[int], salts: Sequence[str]) -> Deal:
    """The deal as the application deals it, from the row of a match with these users and salts by seat."""
    info = deal.game.info
    written = codec(info.key)
    options = written.encode_fields(deal.options)
    row = MatchRow(
        id=match_id,
        guild_id=1,
        channel_id=2,
        board_id=None,
        board_at=None,
        game=info.key,
        rules_version=info.rules_version,
        options=written.encode(deal.options),
        clock="normal",
        seats=tuple(users),
        seed=deal.seed,
        commitment=b"",  # no seal is shown
        opened_at=0,
        deal_id=deal.match_id,
        sealed_options=options,
        salts=tuple(Salt(salt_digest(salt), salt) for salt in salts),
    )
    return replace(deal, sealed=deal_of(row))


def _happens(deal: Deal, acts: Sequence[tuple[Seat | None, Any]]) -> list[Event]:
    try:
        return happened(deal, acts, deal.chances())
    except IllegalAction as illegal:
        raise AssertionError(f"an act of the first match is refused in the second: {illegal.refusal.key}") from None


def _opening(deal: Deal) -> tuple[list[Event], bool]:
    """What happens before the first act, and whether the pack is shuffled for it."""
    notes: set[str] = set()
    return happened(deal, (), lambda seq: NotedChance(deal.chance(seq), notes)), DECK in notes


class NotedChance:
    """Chance that adds what each draw is for to `notes`: `DECK` for the first deal, ``deck 2`` for the second, and the
    names of all other uses."""

    def __init__(self, chance: Chance, notes: set[str]) -> None:
        self._chance = chance
        self._notes = notes

    @property
    def rules_version(self) -> int | None:
        """As `Chance.rules_version`."""
        return self._chance.rules_version

    def deck(self, pack: Sequence[T], deal: int = 1, pack_id: str | None = None) -> tuple[T, ...]:
        """As `Chance.deck`."""
        self._notes.add(f"deck {deal}")
        return self._chance.deck(pack, deal, pack_id)

    def use(self, name: str) -> Stream:
        """As `Chance.use`."""
        self._notes.add(name)
        return self._chance.use(name)

    def first_seat(self, seats: int) -> int:
        """As `Chance.first_seat`."""
        self._notes.add(FIRST)
        return self._chance.first_seat(seats)
