"""Which games have a deal of the day, and how it is sealed."""

from __future__ import annotations

import random
from typing import Final

from bot.games import GAMES
from bot.play.computers.levels import levels_at
from bot.play.deals.sealing import rules_version_of, salts_of, seal
from bot.play.match_state import codec
from bot.play.refusals import Refused
from bot.store.computer_ids import computer_id
from bot.store.rows.daily import DailyDeal
from bot.store.rows.invitations import Invitation, InvitationKind
from bot.store.rows.matches import MatchRow
from bot.store.verification import opens_seal
from engines.players.levels import LEVELS, PLAYERS

BEST: Final = "hard"
"""The level of the computers, in every game that has it."""
CLOCK: Final = "normal"
"""A match has to name a clock. None runs in an attempt: it ends with its day."""


def daily_games() -> tuple[str, ...]:
    """The games that have a deal of the day: games of turns with levels of computer players. In a race two equal
    attempts don't meet equal play, because the computer answers to the speed of its opponent."""
    return tuple(game for game in GAMES if game in PLAYERS and LEVELS.get(game))


def level_of_day(game: str) -> str:
    """The level of the computers in a game's deals: hard, or else the best that is offered for them."""
    info = GAMES[game].info
    levels = levels_at(game, info.options(), 2)
    return BEST if BEST in levels else levels[-1]


def seal_day(guild_id: int, game: str, day: int, now: int, source: random.Random) -> DailyDeal:
    """A new deal of a server, a game and a day, with the game's own options. `source` makes its secret seed."""
    options = GAMES[game].info.options()
    written = codec(game)
    sealed = seal(game, options, written, source)
    return DailyDeal(
        guild_id=guild_id,
        game=game,
        day=day,
        level=level_of_day(game),
        rules_version=sealed.rules_version,
        options=written.encode(options),
        deal_version=sealed.version,
        deal_id=sealed.id,
        sealed_options=sealed.options,
        seed=sealed.seed,
        commitment=sealed.commitment,
        sealed_at=now,
    )


def attempt_rows(
    deal: DailyDeal, match_id: str, user_id: int, channel_id: int, now: int
) -> tuple[Invitation, MatchRow]:
    """The invitation and the match by which a person tries a deal. They sit on the first seat, without a salt.

    Raises Refused if the deal was altered since it was sealed, or was sealed under newer rules.
    """
    seats: tuple[int, ...] = (user_id,)
    while len(seats) < max(2, GAMES[deal.game].info.seats[0]):
        seats += (computer_id(deal.level, seats),)
    asked = Invitation(
        id=match_id,
        guild_id=deal.guild_id,
        channel_id=channel_id,
        message_id=None,
        game=deal.game,
        options=deal.options,
        clock=CLOCK,
        host_id=user_id,
        invited=(),
        seated=seats,
        seed=deal.seed,
        commitment=deal.commitment,
        created_at=deal.sealed_at,
        expires_at=now,
        kind=InvitationKind.TABLE,
        private=True,
        deal_version=deal.deal_version,
        deal_id=deal.deal_id,
        rules_version=deal.rules_version,
        sealed_options=deal.sealed_options,
    )
    if not opens_seal(asked):
        raise Refused("daily.deal_altered")
    match = MatchRow(
        id=match_id,
        guild_id=deal.guild_id,
        channel_id=channel_id,
        board_id=None,
        board_at=None,
        game=deal.game,
        rules_version=rules_version_of(asked),
        options=deal.options,
        clock=CLOCK,
        seats=seats,
        seed=deal.seed,
        commitment=deal.commitment,
        opened_at=now,
        deal_version=deal.deal_version,
        deal_id=deal.deal_id,
        sealed_options=deal.sealed_options,
        salts=salts_of(asked, seats),
        day=deal.day,
    )
    return asked, match
