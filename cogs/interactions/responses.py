"""Answering an interaction: exactly once, in time, and never with an exception.

A failed answer loses nothing: the move is made, the board shows it, and the next press is answered again. So failures
are logged and not raised. The answer has a deadline of its own, because the library would still be retrying long after
Discord has told the player that the interaction failed.

An answer that Discord refuses is given once more in its plain form, without picture and emojis, in the same three
seconds.

If the connection is cut while an answer is sent, or Discord's server fails, nobody knows whether Discord took it. Then
the bot edits the answer, or looks for it where an edit could do harm: that succeeds if Discord took it, and otherwise
Discord knows no such message. Only then is the answer given again.

A slow answer is deferred (`cogs.interactions.time_limits`), and is then given in another way. A deferral is private,
whatever the answer will be: a message that was deferred in public would stay public when it gets its content, even if
that is secret.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from io import BytesIO
from typing import Final, TypeAlias

import aiohttp
import discord
from discord.utils import MISSING

from bot.gateway.client import CardroomClient
from bot.gateway.installations import is_without_bot
from bot.gateway.lean import requests as direct_requests
from bot.ui.catalogue import Translations, translations
from bot.ui.screen import Form, Screen, Text
from cogs.interactions import time_limits
from cogs.interactions.time_limits import DEFERRED_WITHIN, FIRST_RESPONSE_WITHIN, Deferral, DeferralTimer
from cogs.screens.renderer import Sheet, form_sheet, sheet
from cogs.screens.tables import drawn

_log = logging.getLogger(__name__)

Interaction: TypeAlias = discord.Interaction[CardroomClient]

_TIMER = "deferral_timer"
"""The key of an interaction's deferral timer among its extras."""
_TRIED = "first_response_tried"
"""The key, among its extras, of an interaction that the bot has tried to give a first response."""
_TAKEN = "first_response_taken"
"""The key, among its extras, of an interaction whose first response Discord is known to have taken."""
_PUBLIC = "public_original"
"""The key, among its extras, of the public message that an interaction's first response made or updated."""

_BESIDE = "answer_beside"
"""The key, among its extras, of an interaction whose answer is a message of its own."""

_Request: TypeAlias = Callable[[], Awaitable[object]]
"""Makes one request to Discord, each time it is called."""

_CUT: Final = (aiohttp.ClientError, OSError)
"""What is raised when a connection is cut, perhaps after Discord took the request, or when its server failed
(`bot.gateway.requests.ServerFailed`)."""
_TRIES: Final = 6
"""Requests for one answer, at most: to give it, and to ask whether it was taken."""
_PAUSE: Final = 0.05
"""Seconds before the next of them after a first cut; each pause is twice the one before."""
_NOT_FOUND: Final = 404
_ALREADY_ANSWERED: Final = 40060
"""Discord's error code for a second first response."""


def translations_for(interaction: Interaction) -> Translations:
    """The translations for the person who pressed."""
    return translations(str(interaction.locale))


def start_timer(interaction: Interaction, age: float) -> None:
    """Start the timer that defers the answer if it is not given soon. `age` is the interaction's, in seconds."""
    seconds = max(0.0, time_limits.DEFER_AFTER - age)
    interaction.extras[_TIMER] = DeferralTimer(seconds, lambda: _defer(interaction))


def was_deferred(interaction: Interaction) -> bool:
    """Whether the first response was a deferral, so that another answer may follow if one failed."""
    timer: DeferralTimer | None = interaction.extras.get(_TIMER)
    return timer is not None and timer.expired


async def stop_timer(interaction: Interaction) -> bool:
    """Have nothing defer the answer from now on. Returns whether the first response is still to be given."""
    return await _await_deferral(interaction) is Deferral.NOT


def public_original(interaction: Interaction) -> int | None:
    """The public message that an interaction's first response made or updated, so that its token edits this message
    as the original; None if there is none, or that is not certain."""
    found: int | None = interaction.extras.get(_PUBLIC)
    return found


def answer_beside(interaction: Interaction) -> None:
    """Give the private answer in a message of its own, also if only the presser sees the pressed one. Without effect
    once the pressed one was deferred: then the answer takes its place."""
    if not was_deferred(interaction):
        interaction.extras[_BESIDE] = True


def message_of(interaction: Interaction) -> int:
    """Which private message shows the answer to an interaction: the id of the interaction that the message was sent
    for. It is the interaction's own id, unless the answer replaces the private message that was pressed."""
    pressed = interaction.message
    if pressed is None or not _is_own_message(interaction) or pressed.interaction_metadata is None:
        return interaction.id
    return pressed.interaction_metadata.id


async def reply_private(interaction: Interaction, screen: Screen, subject: str) -> Sheet | None:
    """Show a screen to the person who pressed: in the pressed message if only they see it, otherwise in a new one.

    Returns what was shown, or None if it could not be shown.
    """
    made = sheet(await drawn(screen, interaction.client.telemetry), subject)

    async def give(shown: Sheet) -> object:
        if _is_own_message(interaction):
            return await _update(interaction, shown)
        if await direct_requests.answer(interaction, shown, ephemeral=True):
            return True
        return await interaction.response.send_message(view=shown, files=shown.files() or MISSING, ephemeral=True)

    def edit(shown: Sheet) -> Awaitable[object]:
        return interaction.edit_original_response(view=shown, attachments=shown.files() or MISSING)

    return (
        made
        if await _answer(interaction, _tried_twice(interaction, made, give), _tried_twice(interaction, made, edit))
        else None
    )


async def _update(interaction: Interaction, shown: Sheet) -> object:
    """Show something in the message that was pressed, as the first response."""
    if await direct_requests.answer(interaction, shown, ephemeral=False):
        return True
    return await interaction.response.edit_message(view=shown, attachments=shown.files() or MISSING)


def _tried_twice(interaction: Interaction, made: Sheet, show: Callable[[Sheet], Awaitable[object]]) -> _Request:
    """A request that shows a screen; if Discord refuses it, for a picture, an emoji or anything else, it is made once
    more in its plain form. Not if the answer has a place no more, or another has it."""

    async def request() -> object:
        try:
            return await show(made)
        except discord.HTTPException as error:
            if error.status == _NOT_FOUND or error.code == _ALREADY_ANSWERED:
                raise
            _log.warning("an answer was refused (HTTP %d, code %d) and is given plain", error.status, error.code)
            interaction.client.telemetry.answer_given_plain(error.code)
            interaction.client.card_emojis.refused(error)
        return await show(made.plain())

    return request


async def edit_source(interaction: Interaction, screen: Screen, subject: str) -> Sheet | None:
    """Edit the public message that was pressed. Returns what was shown, or None if it could not be shown."""
    made = sheet(await drawn(screen, interaction.client.telemetry), subject)
    source = interaction.message

    def edit(shown: Sheet) -> Awaitable[object]:
        return interaction.edit_original_response(view=shown, attachments=shown.files())

    if await _await_deferral(interaction) is Deferral.NOT or source is None:
        changed = await _first_response(
            interaction,
            _tried_twice(interaction, made, partial(_update, interaction)),
            _tried_twice(interaction, made, edit),
            # Somebody else may have changed the message since, and an edit would put the old content back.
            look=interaction.original_response,
        )
        # If the answer was asked for after a cut, the original might be another process's answer.
        if changed and source is not None and _message_id(changed) in (None, source.id):
            interaction.extras[_PUBLIC] = source.id
        return made if changed else None

    if is_without_bot(interaction):
        await _delete_deferred(interaction)
        return None

    def edit_source_itself(shown: Sheet) -> Awaitable[object]:
        return source.edit(view=shown, attachments=shown.files())

    editing = _uncut(_tried_twice(interaction, made, edit_source_itself))
    changed = await _in_time(interaction, editing, DEFERRED_WITHIN)
    await _delete_deferred(interaction)
    return made if changed else None


async def post(interaction: Interaction, screen: Screen, subject: str, ping: Iterable[int]) -> int | None:
    """Post a new public message that pings only these users. Returns its id, or None if it could not be posted."""
    users = [discord.Object(user) for user in ping]
    mentions = discord.AllowedMentions(users=users, everyone=False, roles=False, replied_user=False)
    made = sheet(await drawn(screen, interaction.client.telemetry), subject)

    def give(shown: Sheet) -> Awaitable[object]:
        files = shown.files() or MISSING
        return interaction.response.send_message(view=shown, files=files, allowed_mentions=mentions)

    def edit(shown: Sheet) -> Awaitable[object]:
        return interaction.edit_original_response(view=shown, attachments=shown.files() or MISSING)

    if await _await_deferral(interaction) is Deferral.NOT or interaction.channel_id is None:
        posted_id = _message_id(
            await _first_response(
                interaction, _tried_twice(interaction, made, give), _tried_twice(interaction, made, edit)
            )
        )
        interaction.extras[_PUBLIC] = posted_id
        return posted_id
    if is_without_bot(interaction):
        await _delete_deferred(interaction)
        return None
    # Not as a follow-up: the first one replaces the deferral's message, which is private.
    channel = interaction.client.get_partial_messageable(interaction.channel_id, guild_id=interaction.guild_id)

    def send(shown: Sheet) -> Awaitable[object]:
        return channel.send(view=shown, files=shown.files(), allowed_mentions=mentions)

    posted = await _in_time(interaction, _tried_twice(interaction, made, send)(), DEFERRED_WITHIN)
    if not isinstance(posted, discord.Message):
        return None
    await _delete_deferred(interaction)
    return posted.id


async def ack(interaction: Interaction) -> None:
    """Acknowledge a press without changing any message."""
    if await _await_deferral(interaction) is Deferral.NOT:
        await _first_response(interaction, interaction.response.defer, interaction.original_response)
    else:
        await _delete_deferred(interaction)


async def follow_up(interaction: Interaction, screen: Screen, subject: str) -> None:
    """Show a screen to the person who pressed, in a message of its own, after the first response. The interaction's
    token doesn't edit it."""
    made = sheet(await drawn(screen, interaction.client.telemetry), subject)

    def send(shown: Sheet) -> Awaitable[object]:
        files = shown.files() or MISSING
        return interaction.followup.send(view=shown, files=files, ephemeral=True, wait=True)

    await _in_time(interaction, _tried_twice(interaction, made, send)(), DEFERRED_WITHIN)


async def reply_text(interaction: Interaction, text: str) -> None:
    """Send a text in a new private message."""
    made = sheet(Screen("", (Text(text),)), "note")

    def send(shown: Sheet) -> Awaitable[object]:
        return interaction.followup.send(view=shown, ephemeral=True, wait=True)

    def give(shown: Sheet) -> Awaitable[object]:
        return interaction.response.send_message(view=shown, ephemeral=True)

    def edit(shown: Sheet) -> Awaitable[object]:
        return interaction.edit_original_response(view=shown)

    deferral = await _await_deferral(interaction)
    if _was_answered(interaction) if deferral is Deferral.NOT else deferral is not Deferral.THINKING:
        await _in_time(interaction, _tried_twice(interaction, made, send)(), DEFERRED_WITHIN)
        return
    await _answer(interaction, _tried_twice(interaction, made, give), _tried_twice(interaction, made, edit))


async def reply_choices(interaction: Interaction, offered: Iterable[tuple[str, str | int]]) -> None:
    """Offer completions (name, value) to somebody who types an option."""
    made = [discord.app_commands.Choice(name=name, value=value) for name, value in offered]
    await _in_time(interaction, interaction.response.autocomplete(made))


async def open_form(interaction: Interaction, form: Form, subject: str) -> bool:
    """Open a form for the person who pressed. Returns whether it is open.

    Only a first response can open one, so that fails after a deferral.
    """
    if await _await_deferral(interaction) is not Deferral.NOT:
        return False
    interaction.extras[_TRIED] = True
    made = form_sheet(form, subject)
    return await _in_time(interaction, _opened(lambda: interaction.response.send_modal(made))) is not None


async def _opened(opening: _Request) -> object:
    """Open a form, again if that was cut. Whether Discord had taken it then, only its refusal of a second one tells."""
    for tries_left in reversed(range(_TRIES)):
        try:
            return await opening()
        except _CUT:
            if not tries_left:
                raise
            await asyncio.sleep(_PAUSE)
        except discord.HTTPException as error:
            if tries_left == _TRIES - 1 or error.code != _ALREADY_ANSWERED:
                raise
            return True
    raise RuntimeError("unreachable: the last try returns or raises")


async def reply_file(interaction: Interaction, text: str, name: str, content: bytes, *more: tuple[str, bytes]) -> None:
    """Send a file in a new private message, with a line of text, and more files by their names."""

    def files() -> list[discord.File]:
        return [discord.File(BytesIO(found), called) for called, found in ((name, content), *more)]

    if await _await_deferral(interaction) is Deferral.UNSEEN:  # the token edits the pressed message, which stays
        sending = interaction.followup.send(text, files=files(), ephemeral=True, wait=True)
        await _in_time(interaction, sending, DEFERRED_WITHIN)
        return
    await _answer(
        interaction,
        lambda: interaction.response.send_message(text, files=files(), ephemeral=True),
        lambda: interaction.edit_original_response(content=text, attachments=files()),
    )


async def post_file(interaction: Interaction, text: str, name: str, content: bytes, description: str) -> bool:
    """Post a file in the channel, with a line of text and words for people who cannot see it. It notifies nobody.

    Returns whether it was posted.
    """
    nobody = discord.AllowedMentions.none()

    def file() -> discord.File:
        return discord.File(BytesIO(content), name, description=description or None)

    if await _await_deferral(interaction) is Deferral.NOT or interaction.channel_id is None:
        posted = await _first_response(
            interaction,
            lambda: interaction.response.send_message(text, file=file(), allowed_mentions=nobody),
            lambda: interaction.edit_original_response(content=text, attachments=[file()]),
        )
        return posted is not None
    channel = interaction.client.get_partial_messageable(interaction.channel_id, guild_id=interaction.guild_id)
    sending = channel.send(text, file=file(), allowed_mentions=nobody)
    if await _in_time(interaction, sending, DEFERRED_WITHIN) is None:
        return False
    await _delete_deferred(interaction)
    return True


async def edit_reply(interaction: Interaction, screen: Screen, subject: str) -> None:
    """Replace an earlier answer by a screen, once what it announced is done."""
    made = sheet(screen, subject)
    request = _tried_twice(interaction, made, lambda shown: interaction.edit_original_response(view=shown))
    await _in_time(interaction, _uncut(request))


# ------------------------------------------------------------------------------------ deferred answers


def _is_own_message(interaction: Interaction) -> bool:
    """Whether the answer takes the place of the pressed message, because only the presser sees that."""
    is_private = interaction.message is not None and interaction.message.flags.ephemeral
    return is_private and not interaction.extras.get(_BESIDE)


async def _defer(interaction: Interaction) -> Deferral:
    """Give the first response without an answer. Public answers are deferred privately too: see the module."""
    own = _is_own_message(interaction)
    await _first_response(
        interaction,
        lambda: interaction.response.defer(ephemeral=True, thinking=not own),
        interaction.original_response,
    )
    # Even if that failed, Discord may have accepted it, and it accepts only one first response.
    return Deferral.UNSEEN if own else Deferral.THINKING


async def _await_deferral(interaction: Interaction) -> Deferral:
    """Stop the interaction's timer. Returns what is currently shown in the answer's place."""
    timer: DeferralTimer | None = interaction.extras.get(_TIMER)
    return Deferral.NOT if timer is None else await timer.answered()


async def _delete_deferred(interaction: Interaction) -> None:
    """Delete the message that says that the bot is thinking, because the answer was given elsewhere."""
    if await _await_deferral(interaction) is Deferral.THINKING:
        interaction.extras[_TIMER].filled()
        await _in_time(interaction, _uncut(interaction.delete_original_response), DEFERRED_WITHIN)


# ------------------------------------------------------------------------------------ cut connections


async def _answer(interaction: Interaction, give: _Request, edit: _Request) -> object | None:
    """Answer with `give`, or with `edit` if the answer was deferred. Returns None if that failed."""
    if await _await_deferral(interaction) is Deferral.NOT:
        return await _first_response(interaction, give, edit)
    interaction.extras[_TIMER].filled()
    if interaction.extras.get(_TAKEN):
        return await _in_time(interaction, _uncut(edit), DEFERRED_WITHIN)
    # The deferral failed. If Discord did not take it, the answer may still be the first response.
    return await _in_time(interaction, _insist(interaction, give, edit, maybe_taken=True), DEFERRED_WITHIN)


async def _first_response(
    interaction: Interaction, give: _Request, ask: _Request, look: _Request | None = None
) -> object | None:
    """Give the first response in time, as `_insist` does. Returns the result of one of these requests, or None."""
    if _TRIED in interaction.extras:
        # Discord may have taken the other one, and that may have been public: a private answer must not be edited in.
        return await _in_time(interaction, give())
    interaction.extras[_TRIED] = True
    return await _in_time(interaction, _insist(interaction, give, ask, look, maybe_taken=False))


async def _insist(
    interaction: Interaction, give: _Request, ask: _Request, look: _Request | None = None, *, maybe_taken: bool
) -> object:
    """Give the first response, again if it was cut and Discord had not taken it.

    `ask` is a request that finds a message only if Discord took a first response, and may edit it: harmless if it is
    repeated. Where that could do harm, `look` asks in its place, unless somebody else gave the first response.
    `maybe_taken` says that Discord may already have taken one. Raises what the last request raised.
    """
    cuts = 0
    for tries_left in reversed(range(_TRIES)):
        try:
            result = await (give() if not maybe_taken else look() if look and cuts else ask())
        except discord.HTTPException as error:
            if not tries_left or not (error.status == _NOT_FOUND if maybe_taken else error.code == _ALREADY_ANSWERED):
                raise
            if not maybe_taken and not cuts:  # after a cut, Discord may have been slow to take our own
                interaction.client.telemetry.answer_refused(error.code)
                interaction.client.foreign_answers.answered_by_another()
            maybe_taken = not maybe_taken
        except _CUT as error:
            if not tries_left:
                raise
            _log.info("an answer was cut and is tried again: %s (interaction %d)", type(error).__name__, interaction.id)
            maybe_taken = True
            await asyncio.sleep(_PAUSE * 2**cuts)
            cuts += 1
        else:
            interaction.extras[_TAKEN] = True
            return result
    raise RuntimeError("unreachable: the last try returns or raises")


async def _uncut(request: _Request) -> object:
    """Make a request that is harmless if repeated, again if it was cut."""
    for _ in range(_TRIES - 1):
        try:
            return await request()
        except _CUT:
            await asyncio.sleep(_PAUSE)
    return await request()


def _was_answered(interaction: Interaction) -> bool:
    """Whether the first response was given: the library does not know of one that was cut."""
    return interaction.response.is_done() or _TAKEN in interaction.extras


def _message_id(answered: object) -> int | None:
    """The id of the message that a first response made."""
    match answered:
        case discord.InteractionCallbackResponse(message_id=int(message_id)) | discord.Message(id=message_id):
            return message_id
    return None


# ------------------------------------------------------------------------------------ in time


async def _in_time(
    interaction: Interaction, answering: Awaitable[object], within: float = FIRST_RESPONSE_WITHIN
) -> object | None:
    """Await an answer that may take `within` seconds. Returns its result (True for none), or None if it failed."""
    try:
        async with asyncio.timeout(within):
            return await answering or True
    except TimeoutError:
        _log.warning("an answer took longer than %.1f s (interaction %d)", within, interaction.id)
        interaction.client.telemetry.answer_slow()
    except discord.HTTPException as error:
        _log.warning(
            "an answer was refused: HTTP %d, code %d (interaction %d)", error.status, error.code, interaction.id
        )
        interaction.client.telemetry.answer_refused(error.code)
        interaction.client.card_emojis.refused(error)
    except (discord.InteractionResponded, discord.ClientException, aiohttp.ClientError, OSError, RuntimeError) as error:
        # aiohttp raises RuntimeError for a session that was closed: the bot is stopping.
        _log.warning("an answer failed: %s (interaction %d)", type(error).__name__, interaction.id)
    return None
