""" "Your turn": one mention for a player who has been away, removed when it has done its work.

Editing a board notifies nobody. So when a match has waited for somebody for a while, and they have not pressed
anything in it since, they are mentioned once; the mention goes as soon as the match waits for them no more.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

import discord

from bot.match import LiveMatch
from bot.store.base import Notice, Store, StoreError
from cogs.easel import Easel
from cogs.presenter import Reader
from engines.game import Seat

_log = logging.getLogger(__name__)


class Notices:
    """Who is waited for since when, and which mentions stand."""

    def __init__(
        self,
        client: discord.Client,
        store: Store,
        easel: Easel,
        reader: Callable[[LiveMatch], Reader],
        after: float,
    ) -> None:
        self._client = client
        self._store = store
        self._easel = easel
        self._reader = reader
        self._after = after
        self._waiting: dict[tuple[str, Seat], tuple[int, asyncio.TimerHandle]] = {}
        self._standing: dict[tuple[str, Seat], Notice] = {}

    async def resume(self, live: dict[str, LiveMatch]) -> None:
        """Take up the mentions that stand; those of matches that went on meanwhile are removed."""
        for notice in await self._store.notices():
            self._standing[notice.match_id, notice.seat] = notice
            match = live.get(notice.match_id)
            if match is None or notice.seat not in match.awaited:
                self._remove(notice.match_id, notice.seat)

    def seen(self, match: LiveMatch, seat: Seat) -> None:
        """A player pressed something in the match: they are here, no mention is needed for this question."""
        waiting = self._waiting.get((match.id, seat))
        if waiting is not None:
            waiting[1].cancel()
        self._remove(match.id, seat)

    def match_changed(self, match: LiveMatch) -> None:
        """Start waiting for those the match waits for now, and stop for the others."""
        for seat in range(len(match.seats)):
            key = (match.id, seat)
            if seat not in match.awaited:
                waiting = self._waiting.pop(key, None)
                if waiting is not None:
                    waiting[1].cancel()
                self._remove(*key)
            elif key not in self._waiting or self._waiting[key][0] != match.window_number:
                self._wait(match, seat)

    def close(self) -> None:
        """Stop waiting; mentions that stand are taken up at the next start."""
        for _, handle in self._waiting.values():
            handle.cancel()
        self._waiting.clear()

    def _wait(self, match: LiveMatch, seat: Seat) -> None:
        key = (match.id, seat)
        if key in self._waiting:
            self._waiting[key][1].cancel()
        loop = asyncio.get_running_loop()
        call = loop.call_later(self._after, self._wish, match, seat, match.window_number)
        self._waiting[key] = (match.window_number, call)

    def _wish(self, match: LiveMatch, seat: Seat, window: int) -> None:
        lane = ("notice", match.channel_id)
        self._easel.wish(lane, ("post", match.id, seat), lambda: self._post(match, seat, window))

    async def _post(self, match: LiveMatch, seat: Seat, window: int) -> bool:
        key = (match.id, seat)
        if seat not in match.awaited or match.window_number != window or key in self._standing:
            return False
        user = match.seats[seat]
        reader = self._reader(match)
        text = reader.words("notice.your_turn", player=f"<@{user}>", game=match.game.info.title)
        if match.board_id is not None:
            text += f" https://discord.com/channels/{match.guild_id}/{match.channel_id}/{match.board_id}"
        channel = self._client.get_partial_messageable(match.channel_id, guild_id=match.guild_id)
        mentions = discord.AllowedMentions(users=[discord.Object(user)], everyone=False, roles=False)
        try:
            posted = await channel.send(text, allowed_mentions=mentions, suppress_embeds=True)
        except discord.HTTPException as error:
            _log.info("a mention in match %s was not taken (code %d)", match.id, error.code)
            return True
        notice = Notice(match.id, seat, user, match.channel_id, posted.id)
        self._standing[key] = notice
        try:
            await self._store.add_notice(notice)
        except StoreError:
            _log.warning("a mention in match %s could not be saved", match.id)
        if seat not in match.awaited or match.window_number != window:
            self._remove(*key)
        return True

    def _remove(self, match_id: str, seat: Seat) -> None:
        notice = self._standing.pop((match_id, seat), None)
        if notice is not None:
            self._easel.wish(("notice", notice.channel_id), ("remove", match_id, seat), lambda: self._delete(notice))

    async def _delete(self, notice: Notice) -> bool:
        channel = self._client.get_partial_messageable(notice.channel_id)
        try:
            await channel.get_partial_message(notice.message_id).delete()
        except discord.HTTPException as error:
            _log.info("a mention in match %s could not be removed (code %d)", notice.match_id, error.code)
        try:
            await self._store.remove_notice(notice.match_id, notice.seat)
        except StoreError:
            _log.warning("a removed mention in match %s could not be forgotten", notice.match_id)
        return True
