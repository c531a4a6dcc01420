"""Opening challenges and tables: what somebody proposes, and whether there is room for it."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bot.games import GAMES
from bot.play.computers.levels import check_computers
from bot.play.computers.stand_ins import offers_stand_in
from bot.play.deals.sealing import random_id, seal
from bot.play.limits import Limits
from bot.play.match_registry import MatchRegistry
from bot.play.match_state import codec
from bot.play.matchmaking.invitations import Invitations
from bot.play.matchmaking.series import first_of
from bot.play.refusals import Refused
from bot.store.rows.invitations import Invitation, InvitationKind, Origin, Series, StandIn
from bot.time_controls import time_control
from engines.options import OptionRefused, settled


@dataclass(frozen=True, slots=True)
class Terms:
    """The match that an invitation is for: its place, game and clock, whether it gets a thread of its own, and what
    becomes of a seat whose time has run out (C-8)."""

    guild_id: int
    channel_id: int
    game: str
    options: Any
    time_control: str
    in_thread: bool = False
    stand_in: StandIn = StandIn.OFF
    best_of: int = 1
    """Of how many matches a series is the best, for a challenge between two (C-9); 1 is a single match."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """An invitation that somebody wants to open: to which match, who is asked, and how it begins."""

    terms: Terms
    host: int
    guests: tuple[int, ...] = ()
    kind: InvitationKind = InvitationKind.CHALLENGE
    private: bool = False
    places: tuple[int, ...] = ()
    """Who sits where, if not in the order in which they sit down."""
    computers: tuple[int, ...] = ()
    """They sit at once."""
    auto_start: bool = False
    """The table's match begins as soon as enough people sit there."""
    reliable: bool = False
    """The table takes only people who finish most of their matches, and new ones."""
    at_once: bool = False
    """Its match begins without waiting for anybody, so it needs no room among the open invitations."""
    origin: Origin | None = None
    """Where its match begins; its seed then decides only what is drawn later."""
    series: Series | None = None
    """What its match continues; without one it begins a series if the terms say so."""


class Inviting:
    """Opens invitations, each with a sealed deal."""

    def __init__(
        self,
        invitations: Invitations,
        registry: MatchRegistry,
        limits: Limits,
        now: Callable[[], int],
        source: random.Random | None = None,
    ) -> None:
        """`source` makes ids and the seeds of deals. By default it is the system's, which nobody can foresee."""
        self._invitations = invitations
        self._registry = registry
        self._limits = limits
        self._now = now
        self._random = random.SystemRandom() if source is None else source

    async def invite(self, proposal: Proposal) -> Invitation:
        """Open an invitation with a sealed deal.

        Raises Refused if somebody reached a limit, if the options or a computer's level do not fit the players of a
        challenge or of a match that begins at once, or if the game has no stand-in; Unsaved.
        """
        terms = proposal.terms
        if terms.stand_in is not StandIn.OFF and not offers_stand_in(terms.game):
            raise Refused("stand_in.not_offered", game=GAMES[terms.game].info.title)
        self._check_room(proposal)
        if proposal.kind is InvitationKind.CHALLENGE or proposal.at_once:
            _check_options(terms, 1 + len(proposal.guests) + len(proposal.computers))
            check_computers(terms.game, terms.options, (proposal.host, *proposal.guests, *proposal.computers))
        now = self._now()
        options = settled(terms.options)
        deal = seal(terms.game, options, codec(terms.game), self._random)
        invitation_id = random_id(self._random)
        return await self._invitations.add(
            Invitation(
                id=invitation_id,
                guild_id=terms.guild_id,
                channel_id=terms.channel_id,
                message_id=None,
                game=terms.game,
                options=codec(terms.game).encode(options),
                clock=terms.time_control,
                host_id=proposal.host,
                invited=proposal.guests,
                seated=(proposal.host, *proposal.computers),
                seed=deal.seed,
                commitment=deal.commitment,
                created_at=now,
                expires_at=now + 1000 * time_control(terms.time_control).invitation,
                kind=proposal.kind,
                private=proposal.private,
                places=proposal.places,
                deal_version=deal.version,
                deal_id=deal.id,
                rules_version=deal.rules_version,
                sealed_options=deal.options,
                in_thread=terms.in_thread,
                stand_in=terms.stand_in,
                auto_start=proposal.auto_start,
                reliable=proposal.reliable,
                origin=proposal.origin,
                series=proposal.series or first_of(invitation_id, terms.best_of),
            )
        )

    def _check_room(self, proposal: Proposal) -> None:
        terms, host, guests = proposal.terms, proposal.host, proposal.guests
        open_here = self._invitations.open_in(terms.guild_id)
        alike = (host, terms.game, set(guests))  # a forgotten challenge doesn't keep a series from being continued
        asked_again = any((each.host_id, each.game, set(each.invited)) == alike for each in open_here)
        if guests and proposal.series is None and asked_again:
            raise Refused("challenge.already_open")
        if not proposal.at_once:
            self._limits.check_invitation(open_here, terms.channel_id, host)
        for guest in guests:
            self._limits.check_received(open_here, guest)
            self._limits.check_unanswered(self._invitations.unanswered(terms.guild_id, host, guest), guest)
        playing = self._registry.counted_in(terms.guild_id)
        self._limits.check_player(playing, host, host)
        self._limits.check_place(playing, None if terms.in_thread else terms.channel_id)


def _check_options(terms: Terms, seats: int) -> None:
    """Raise Refused now if the match could not begin when the last player sits down."""
    try:
        GAMES[terms.game].start(terms.options, seats)
    except OptionRefused as refused:
        raise Refused(refused.key, **refused.values) from None
