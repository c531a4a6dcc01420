"""Resuming a match that rests because its place was lost: in the channel where *Resume* is pressed."""

from __future__ import annotations

import logging

import discord

from bot.play.live_match import LiveMatch
from bot.play.refusals import Refused
from bot.store.errors import StoreError
from bot.store.rows import NoticeLevel
from cogs.actions.challenging import check_place
from cogs.app import CardroomApp
from cogs.interactions.responses import Interaction
from cogs.updates.edit_queue import Priority
from cogs.updates.turn_notices import link
from engines.game import Seat

_log = logging.getLogger(__name__)


async def resume(app: CardroomApp, interaction: Interaction, match: LiveMatch) -> bool:
    """Let the match go on here, if it rests; whether this press did it. The caller answers, then calls `told`.

    Raises Refused where no match can be held, and Unsaved.
    """
    if match.over:
        raise Refused("match.over")
    if match.suspended is None:
        return False
    guild_id, channel_id = check_place(app, interaction)
    if guild_id != match.guild_id:
        raise Refused("match.unknown")
    former = await app.matches.resume_match(match, channel_id)
    if former is None:
        return False
    app.board_updater.remove_former(match, former)
    return True


def told(app: CardroomApp, match: LiveMatch, seat: Seat) -> None:
    """Have the board posted, and behind it the word that the match goes on, by the one on this seat."""
    app.matches.notify(match)
    bucket = ("channel", match.channel_id)
    app.edit_queue.request_edit(bucket, ("resumed", match.id), lambda: _announce(app, match, seat), Priority.NOTICE)


async def _announce(app: CardroomApp, match: LiveMatch, seat: Seat) -> int:
    """Tell the others where their match goes on, each as loudly as they want to be told of their turn."""
    if match.suspended is not None:  # the board could not be posted
        return 0
    pinged: list[discord.Object] = []
    others: list[str] = []
    reader = app.public_reader(match)
    for other, user in enumerate(match.seats):
        if other == seat:
            continue
        level = await _level(app, match, user)
        others.append(reader.names[other] if level is NoticeLevel.NONE else f"<@{user}>")
        if level in {NoticeLevel.PING, NoticeLevel.DIRECT}:
            pinged.append(discord.Object(user))
    text = reader.words("resume.told", player=reader.names[seat], others=" · ".join(others), game=match.game.info.title)
    channel = app.client.get_partial_messageable(match.channel_id, guild_id=match.guild_id)
    mentions = discord.AllowedMentions(users=pinged, everyone=False, roles=False)
    try:
        await channel.send(text + link(match), allowed_mentions=mentions, silent=not pinged, suppress_embeds=True)
    except discord.HTTPException as error:
        _log.info("that match %s goes on could not be told (code %d)", match.id, error.code)
    return 1


async def _level(app: CardroomApp, match: LiveMatch, user: int) -> NoticeLevel:
    try:
        return await app.store.notice_level(match.guild_id, user)
    except StoreError:
        return NoticeLevel.QUIET
