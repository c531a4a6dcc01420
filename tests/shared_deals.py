"""Matches that begin by themselves with one sealed deal, as a room begins them."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import Any

from bot.play.deals.sealing import random_id, seal
from bot.play.live_match import LiveMatch
from bot.play.match_lifecycle import MatchLifecycle, row_of
from bot.play.match_state import codec
from bot.store.queries import play
from bot.store.queries.invitations import Invitation, InvitationKind, SealedDeal
from bot.store.queries.matches import MatchRow
from bot.store.store import Store
from engines import GAMES
from tests.bot.store import rows

CLOCK = "blitz"
_source = random.Random(36)


async def save(store: Store, begun: play.Begun) -> None:
    """What a room writes when a match begins by itself, without anything of its own."""
    await store.database.write(lambda db: play.open_at_once(db, store.now(), begun))


async def begun_at_once(store: Store, row: MatchRow) -> None:
    """Store a match that begins by itself, with one timer, as a room does it."""
    await save(store, begun_of(row))


def begun_of(row: MatchRow) -> play.Begun:
    """What there is to store of a match that begins by itself, with one timer."""
    invitation = replace(rows.invitation(row.id, guild=row.guild_id), seated=row.seats)
    return play.Begun(invitation, row, rows.deal(row.id), (rows.timer(match_id=row.id),))


def sealed(game: str = "haymaker", source: random.Random = _source) -> SealedDeal:
    """A new deal: another one in each order of tests, unless it comes from a source of its own."""
    return seal(game, GAMES[game].info.options(), codec(game), source, clock=CLOCK)


def asked(
    deal: SealedDeal, seats: tuple[int, ...], venue: tuple[int, int], at: int, game: str = "haymaker"
) -> Invitation:
    """The invitation of such a match, in a server and channel, which was open to nobody."""
    return Invitation(
        id=random_id(_source),
        guild_id=venue[0],
        channel_id=venue[1],
        message_id=None,
        game=game,
        options=codec(game).encode(GAMES[game].info.options()),
        clock=CLOCK,
        host_id=seats[0],
        invited=seats[1:],
        seated=seats,
        created_at=at,
        expires_at=at,
        kind=InvitationKind.TABLE,
        private=True,
        **deal.columns(),
    )


async def begin(
    store: Store,
    lifecycle: MatchLifecycle,
    pairs: Iterable[tuple[int, ...]],
    venue: tuple[int, int],
    *,
    game: str = "haymaker",
    deal: SealedDeal | None = None,
    **terms: Any,
) -> list[LiveMatch]:
    """A match of each pair, all with the same deal. `terms` are fields of their rows."""
    deal, begun = deal or sealed(game), []
    for seats in pairs:
        invitation = asked(deal, seats, venue, lifecycle.now(), game)
        row = replace(row_of(invitation, lifecycle.now()), **{"shared": True, "reserved": True, **terms})
        begun.append(await lifecycle.open_now(invitation, row, partial(save, store)))
    return begun
