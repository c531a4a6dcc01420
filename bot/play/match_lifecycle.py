"""Brings matches into play and out of it: opens, suspends and resumes them, and calls off abandoned ones."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from bot.games import GAMES
from bot.play import first_matches
from bot.play.access import Access, obstacles
from bot.play.clocks.match_clock import MatchClock
from bot.play.deals.sealing import salts_of
from bot.play.limits import Limits
from bot.play.live_match import LiveMatch
from bot.play.match_press import MatchPress
from bot.play.match_registry import MatchRegistry
from bot.play.match_state import codec, read_facts
from bot.play.observers import Observer
from bot.play.quarantine import Quarantine, QuarantinedMatch
from bot.play.refusals import Refused, Unsaved, translate_errors
from bot.store.errors import Conflict, StoreError
from bot.store.queries.invitations import Invitation, Origin
from bot.store.queries.matches import MatchRow, Record, Result, Suspension
from bot.store.queries.play import Begun
from bot.store.queries.servers import ObservedSuspension
from bot.store.special_ids import is_chat, people
from bot.store.store import Store
from bot.store.verification import opening_digest, opens_seal
from engines.game import Event, Seat
from engines.options import OptionRefused

_log = logging.getLogger(__name__)


SaveBegun: TypeAlias = Callable[[Begun], Awaitable[None]]
"""Stores a match that begins by itself."""


@dataclass(slots=True, eq=False)
class MatchLifecycle:
    """Begins, interrupts and ends matches. It does not play them. `access` tells who can play where."""

    store: Store
    registry: MatchRegistry
    clock: MatchClock
    quarantine: Quarantine
    limits: Limits
    observers: Observer
    now: Callable[[], int]
    access: Access
    _making_room: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)
    """Held while matches give place, so that none gives it to two others."""

    # ------------------------------------------------------------------------------------ opening

    def check_room(self, invitation: Invitation, asker: int, *, alone: bool = False) -> None:
        """Raise Refused if a limit prevents the match of an invitation. The message is for `asker`.

        One that is played `alone` has no board, so it needs no room in a channel.
        """
        seated, unfinished = people(invitation.seated), self.registry.unfinished_in(invitation.guild_id)
        for user_id in seated:
            self.limits.check_player(unfinished, user_id, asker)
        if len(seated) == 1:
            self.limits.check_alone(unfinished, asker)
        if alone:
            return
        channel_id = None if invitation.in_thread else invitation.channel_id
        self.limits.check_room(self.registry.with_boards(invitation.guild_id), channel_id, seated)

    async def open(self, invitation: Invitation, press: MatchPress, *, alone: bool = False) -> LiveMatch:
        """Deal the match of an invitation to the seated players. `press` is the one that began it, and `alone` says
        whether it is played without a board and a clock.

        Raises InvitationClosed, Unsaved, and Refused, also where the deal was altered since it was sealed or was sealed
        under newer rules.
        """
        _check_seal(invitation)
        opening = None if invitation.origin is None else await self._opening(invitation, invitation.origin)
        new = await self._newcomers(invitation)
        row = _with_newcomers(replace(row_of(invitation, self.now()), alone=alone), new)
        row = await self._unless_set_aside(row)
        try:
            match = self.registry.made(row)
            deal, timers = match.deal(opening)
        except OptionRefused as refused:
            raise Refused(refused.key, **refused.values) from None
        await translate_errors(self.store.open_match(row, deal, timers, newcomers=tuple(new.values())))
        self.registry.add(match)
        press.note_changed(match)
        await self._make_room(match)
        return match

    async def _newcomers(self, invitation: Invitation) -> dict[int, bytes]:
        """Those of whose first matches the match of an invitation is one (C-13), with the hashes by which that is
        counted."""
        may_be = first_matches.may_be_first(invitation)
        if not may_be:
            return {}
        return await translate_errors(self.store.newcomers(invitation.game, may_be, first_matches.FIRST_MATCHES))

    async def _unless_set_aside(self, row: MatchRow) -> MatchRow:
        """A match that counts for nobody if a moderator has set the results of one of its players aside."""
        users = people(row.seats)
        if (
            row.rated
            and len(users) > 1
            and await translate_errors(self.store.is_anybody_set_aside(row.guild_id, users))
        ):
            return replace(row, rated=False)
        return row

    async def _make_room(self, begun: LiveMatch) -> None:
        """Suspend what must give place to a match that has begun."""
        async with self._making_room:
            for match in self.limits.giving_place(self.registry.with_boards(begun.guild_id), begun):
                await self.suspend(match, Suspension.GAVE_PLACE)
                if match.suspended is Suspension.GAVE_PLACE:
                    self.observers.match_gave_place(match)

    async def _opening(self, invitation: Invitation, origin: Origin) -> tuple[Event, ...]:
        """The facts with which a match begins that is begun from another one. Raises Refused if they are lost or were
        altered since."""
        source = await translate_errors(self.store.match(origin.match_id))
        if source is None or (source.guild_id, source.game) != (invitation.guild_id, invitation.game):
            raise Refused("differently.gone")
        facts = read_facts(source.game, await translate_errors(self.store.records(source.id)))
        opening = (facts or ())[: origin.facts]
        if opening_digest(codec(source.game).encode_all(opening)) != origin.digest:
            _log.error("invitation %s can't become a match: match %s was altered", invitation.id, source.id)
            raise Refused("challenge.deal_altered")
        return opening

    async def open_at_once(
        self,
        asked: Invitation,
        row: MatchRow,
        press: MatchPress,
        save: Callable[[Invitation, MatchRow, Record], Awaitable[None]],
    ) -> LiveMatch:
        """Deal a match that nobody has to accept. `press` is the one that began it, and `save` stores its invitation,
        the match and its deal.

        Raises Unsaved, and what `save` raises that is not an error of the store, such as Conflict.
        """
        match = self.registry.made(row)
        deal, _ = match.deal()
        await translate_errors(save(asked, row, deal))
        self.registry.add(match)
        press.note_changed(match)
        return match

    async def open_now(self, asked: Invitation, row: MatchRow, save: SaveBegun) -> LiveMatch:
        """Deal a match that begins by itself, without a press, between people who have agreed to it before. Its board
        is posted in `row.channel_id`, and its first question's time starts with it.

        `asked` is its invitation, which was open to nobody, and `row` what `row_of` makes of it, with the room's own
        terms: `shared`, `rated` and `reserved`. `save` stores all of it in one transaction
        (`bot.store.queries.play.open_at_once`), so it begins once or not at all; if it raises Conflict, it was begun
        before.

        Raises Refused, also if no more may begin in the server now, Unsaved, and what `save` raises that is not an
        error of the store.
        """
        _check_seal(asked)
        new = await self._newcomers(asked)
        row = await self._unless_set_aside(_with_newcomers(row, new))
        async with self.registry.waiting.lock:  # the time of day isn't corrected between its deal and its being in play
            if row.reserved:
                self.limits.check_reserved(self.registry.unfinished_in(row.guild_id))
            match = self.registry.made(row)
            deal, timers = match.deal()
            await translate_errors(save(Begun(asked, row, deal, timers, tuple(new.values()))))
            self.registry.add(match)
        self._tell(match)
        return match

    async def show(self, match: LiveMatch, channel_id: int, press: MatchPress) -> bool:
        """Show practice on a board in a channel, as `LiveMatch.show` does, because its person pressed. Returns whether
        this press did it. Raises Refused, also if there is no room in the channel or the server, and Unsaved."""
        if not match.has_board:
            self.limits.check_room(self.registry.with_boards(match.guild_id), channel_id, people(match.seats))
        shown = await match.show(channel_id, press.interaction_id)
        if shown:
            press.note_changed(match)
        return shown

    async def end_alone(self, match: LiveMatch, asked_at: int) -> None:
        """End a match without a clock, as `LiveMatch.end_alone` does, and notify the observers. Raises Unsaved."""
        if await match.end_alone(asked_at):
            self._tell(match)

    # ------------------------------------------------------------------------------------ in a moderator's hand

    async def release(self, match: LiveMatch) -> bool:
        """Have a match go on that a moderator holds, as `LiveMatch.release` does, and notify the observers.

        Returns whether it was held. Raises Unsaved.
        """
        released = await match.release()
        if released:
            self._tell(match)
        return released

    async def end_held(self, match: LiveMatch) -> bool:
        """Call a match off that a moderator holds, and notify the observers. Returns whether this did it. Raises
        Unsaved."""
        ended = await match.end_held()
        if ended:
            _log.info("match %s is called off by a moderator", match.id)
            self._tell(match)
        return ended

    # ------------------------------------------------------------------------------------ its venue

    async def suspend(self, match: LiveMatch, why: Suspension, channel_id: int | None = None) -> None:
        """Suspend a match as `LiveMatch.suspend` does, or call it off, and notify the observers.

        If that cannot be saved, the match continues. The next event or request that finds its venue lost tries again.
        """
        try:
            if not await match.suspend(why, channel_id, lambda: self.clock.stopped_at):
                return
        except (Unsaved, StoreError) as error:
            _log.warning("match %s could not be suspended: %s", match.id, type(error).__name__)
            return
        if match.over:
            _log.info("match %s is called off, because it lost its place again and again: %s", match.id, why)
        else:
            _log.info("match %s is suspended: %s", match.id, why)
        self._tell(match)

    async def resume(self, match: LiveMatch, channel_id: int, seat: Seat, press: MatchPress) -> bool:
        """Resume a suspended match in a channel, as `LiveMatch.resume` does, because the player on a seat pressed.

        Returns whether this press did it. Raises Refused if there is no room in the channel or the server,
        NotAllCanPlay if somebody could not follow the match there, and Unsaved.
        """
        if match.suspended is not None and not match.reserved:
            self.limits.check_room(self.registry.with_boards(match.guild_id), channel_id, people(match.seats))
        others = {user: other for other, user in enumerate(match.seats) if other != seat and match.is_in(other)}
        others = {user: others[user] for user in people(others)}
        found = await obstacles(self.access, match.guild_id, channel_id, others)
        former = await match.resume(channel_id, seat, {others[user]: what for user, what in found.items()})
        if former is not None:
            press.note_resumed(match, former, seat)
            await self._make_room(match)
        return former is not None

    async def lapse(self, suspended: Mapping[str, ObservedSuspension], after: int) -> None:
        """Call off the matches that were observed to be suspended for this long (ms), and notify the observers.

        Matches in a server that removed the bot get twice the time, because nobody can resume them before it is back.

        Raises Busy.
        """
        await self.registry.waiting.restored(suspended)
        for match_id, seen in suspended.items():
            match = self.registry.playing(match_id)
            if match is None or seen.observed < (2 * after if match.suspended is Suspension.REMOVED else after):
                continue
            try:
                lapsed = await match.lapse(seen.since)
            except (Unsaved, StoreError) as error:
                _log.warning("match %s could not lapse: %s", match.id, type(error).__name__)
                continue
            if lapsed:
                _log.info("match %s was resumed by nobody and is called off", match.id)
                self._tell(match)

    async def end_quarantined(self, match: QuarantinedMatch, kind: str = "moderated") -> None:
        """Call off a quarantined match, because a moderator of its server wants that, or for another kind of ending.

        Raises Unsaved.
        """
        result = Result(match.row.id, kind, (), self.now(), counted=False)
        with contextlib.suppress(Conflict):  # somebody has called it off, or left, at the same moment
            await translate_errors(self.store.end_match(result, None))
        self.quarantine.remove(match.row.id)

    async def call_off_without_game(self, guild_id: int, user_id: int) -> None:
        """Call off a user's matches whose game is not installed: there are no rules by which to resign.

        Raises Unsaved.
        """
        for match in self.quarantine.without_game():
            if match.row.guild_id == guild_id and user_id in match.row.seats:
                await self.end_quarantined(match, "abandoned")
                _log.info("match %s is called off: its game is not installed, and a player left", match.row.id)

    def _tell(self, match: LiveMatch) -> None:
        """Have the clock follow a match that has changed, and notify the observers."""
        self.clock.settle(match)
        self.observers.match_changed(match)

    def forget_server(self, guild_id: int) -> None:
        """Forget all matches of a purged server."""
        for match in self.registry.in_server(guild_id):
            self.registry.remove(match)
            self.clock.forget(match)
        self.quarantine.forget_server(guild_id)


def _check_seal(invitation: Invitation) -> None:
    if not opens_seal(invitation):
        _log.error("invitation %s can't become a match: its deal was altered", invitation.id)
        raise Refused("challenge.deal_altered")


def _with_newcomers(row: MatchRow, new: Collection[int]) -> MatchRow:
    """A match with the seats of those of whose first matches it is one."""
    seats = tuple([seat for seat, user in enumerate(row.seats) if user in new])
    return replace(row, newcomers=seats, reads_until=(None,) * len(seats))


def row_of(invitation: Invitation, opened_at: int) -> MatchRow:
    """The match of an invitation, between those who sit there, `opened_at` in ms UTC.

    Raises Refused where its deal was sealed under newer rules than the installed ones.
    """
    if invitation.rules_version > GAMES[invitation.game].info.rules_version:
        raise Refused("challenge.newer_rules")
    return MatchRow(
        id=invitation.id,
        guild_id=invitation.guild_id,
        channel_id=invitation.channel_id,
        board_id=invitation.message_id,
        board_at=None if invitation.message_id is None else invitation.created_at,
        game=invitation.game,
        rules_version=invitation.rules_version,
        options=invitation.options,
        clock=invitation.clock,
        seats=invitation.seated,
        seed=invitation.seed,
        commitment=invitation.commitment,
        opened_at=max(opened_at, invitation.created_at),  # the time of day may have been set back since
        deal_version=invitation.deal_version,
        deal_id=invitation.deal_id,
        sealed_options=invitation.sealed_options,
        salts=salts_of(invitation),
        stand_in=invitation.stand_in,
        origin=invitation.origin,
        series=invitation.series,
        rated=not is_chat(invitation.guild_id),  # nobody there gets a notice of their turn
    )
