"""The laws on deals of version 2 (`engines.deals`): one that is made again is the same with other players, and
another salt of any player makes another. Each raises AssertionError for a game that breaks it.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from bot.play.deals.sealing import deal_of
from bot.play.match_state import codec
from bot.store.rows.matches import MatchRow, Salt
from engines.deals import commitment_v2, salt_digest
from engines.game import Event, IllegalAction, Seat
from engines.keys import NotingChance
from laws.engine import happened
from laws.play import FIRST_USER, Deal, Odds, random_match

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
    facts, keys = _opening(_sealed(deal, "once", users, salts))
    pack = deal.game.pack(deal.options, deal.seats)
    for seat in range(deal.seats):
        salted = [*salts[:seat], "a pinch", *salts[seat + 1 :]]
        others, other_keys = _opening(_sealed(deal, "once", users, salted))
        assert not {*keys.values()} & {*other_keys.values()}, f"the salt of seat {seat} takes no part in a key"
        if len(pack.cards) >= SHUFFLED and f"1:{pack.pack_id}" in keys:
            assert others != facts, f"the salt of seat {seat} changes nothing in the opening"


def _sealed(deal: Deal, match_id: str, users: Sequence[int], salts: Sequence[str]) -> Deal:
    """The deal as the application deals it in version 2, from the row of a match with these users and salts by seat."""
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
        commitment=commitment_v2(deal.seed, info.key, info.rules_version, deal.match_id, options),
        opened_at=0,
        deal_version=2,
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


def _opening(deal: Deal) -> tuple[list[Event], dict[str, bytes]]:
    """What happens before the first act, and the keys that decide it."""
    keys: dict[str, bytes] = {}
    pack_id = deal.game.pack(deal.options, deal.seats).pack_id
    return happened(deal, (), lambda seq: NotingChance(deal.seed, deal.in_contexts, seq, pack_id, keys)), keys
