"""Keeps the application's own emojis in step with the drawings of cards (`bot.art.images`).

An emoji with the right name is the right picture, because a name ends with the picture's digest. So a start lists the
emojis, uploads the missing ones one after the other, and then removes our drawings that have changed. Emojis with other
names are not ours. Cards are text until all pictures of their family are there, and whenever anything fails.

An application owns up to 2,000 emojis, and needs no permission to use them
(https://discord.com/developers/docs/resources/emoji#emoji-object-applicationowned-emoji). How many it may upload in
which time is not documented.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType
from typing import Final

import aiohttp
import discord

from bot.art.images import Family, Image, Size, emoji_names, images
from bot.store.errors import StoreError

_log = logging.getLogger(__name__)

PAUSE: Final = 1.0
"""Seconds between two uploads or removals."""
LOCAL_PAUSE: Final = 0.05
"""The same on a Discord of this machine, so that a first start takes seconds. Less would come near the limit of all
requests."""
RETRIES: Final = (60.0, 300.0, 900.0, 3600.0)
"""Seconds until the next try after a failure that may pass; the last one again and again."""
MOST_DOUBTS: Final = 3
"""How many messages may be refused for their emojis before cards stay text until the next start."""

TOO_MANY: Final = 30008
INVALID_FORM: Final = 50035
"""Discord's error codes (https://discord.com/developers/docs/topics/opcodes-and-status-codes#json)."""
_FORBIDDEN: Final = frozenset({401, 403})

_DIGEST: Final = re.compile(r"[0-9a-f]{6}")


async def _always() -> bool:
    return True


class CardEmojis:
    """Which emojis of cards can be used, and the task that uploads and removes them."""

    def __init__(
        self,
        client: discord.Client,
        *,
        pause: float = PAUSE,
        may_upload: Callable[[], Awaitable[bool]] = _always,
    ) -> None:
        """`pause` is in seconds, between two uploads. `may_upload` says whether no other process is at it."""
        self._may_upload = may_upload
        self._client = client
        self._pause = pause
        self._usable: dict[Family, Mapping[str, str]] = {}
        self._doubts = 0
        self._again = asyncio.Event()

    def usable(self, family: Family) -> Mapping[str, str] | None:
        """A whole family's emojis as they are written in texts, by the names of their images; None while one of them is
        missing."""
        return self._usable.get(family)

    def refused(self, error: discord.HTTPException) -> None:
        """Discord refused a message. If that was for an emoji that somebody has removed, cards are text until all
        emojis are there again."""
        if self._usable and error.code == INVALID_FORM and "emoji" in error.text.lower():
            self._usable.clear()
            self._doubts += 1
            if self._doubts < MOST_DOUBTS:
                _log.warning("Discord refused an emoji of a card: cards are text until all of them are there again")
                self._again.set()
            else:
                _log.error("Discord refused emojis of cards again and again: cards are text until the next start")

    async def keep(self) -> None:
        """Bring the emojis in step, and again after a failure that may pass or when one was removed; runs until it is
        cancelled."""
        failed = 0
        while True:
            wait = await self._try(failed)
            failed = 0 if wait is None else failed + 1
            with suppress(TimeoutError):
                async with asyncio.timeout(wait):
                    await self._again.wait()
            self._again.clear()

    async def _try(self, failed: int) -> float | None:
        """Bring the emojis in step. Returns the seconds until the next try; None if there is nothing to try."""
        wait = RETRIES[min(failed, len(RETRIES) - 1)]
        try:
            if not await self._bring_in_step():
                return RETRIES[0]
        except StoreError as error:
            _log.warning("who uploads emojis of cards could not be found out: %s", type(error).__name__)
        except discord.RateLimited as error:
            wait = max(wait, error.retry_after)
            _log.warning("Discord takes no more emojis of cards for now: the next try is in %d s", wait)
        except (discord.DiscordServerError, aiohttp.ClientError, OSError) as error:
            _log.warning("no emojis of cards from Discord (%s): the next try is in %d s", type(error).__name__, wait)
        except discord.HTTPException as error:
            _log.error("not all cards can be emojis: %s", _why(error))
            return None
        else:
            return None
        return wait

    async def _bring_in_step(self) -> bool:
        """Upload what is missing, use each family that is whole, remove what has changed. Returns False if another
        process is doing that. Raises what the library and the store raise."""
        there = await self._listed()
        for family in Family:
            self._use(family, there)
        missing = {family: _missing(family, there) for family in Family}
        count = sum(map(len, missing.values()))
        if not await self._may_upload():
            return not count
        if count:
            _log.info("uploading %d emojis of cards; cards are text until then", count)
            for family, lacking in missing.items():
                await self._upload_all(lacking, there)
                self._use(family, there)
            # Another process may have uploaded the same: of two with one name, all use the older.
            there = await self._listed()
        for family in Family:
            self._use(family, there)
        await self._remove_outdated(there)
        _log.info("emojis of cards in use: %d of %d", sum(map(len, self._usable.values())), len(images(Size.EMOJI)))
        return True

    async def _listed(self) -> dict[str, discord.Emoji]:
        """The application's emojis by name; of several with one name the oldest."""
        found = await self._client.fetch_application_emojis()
        return {emoji.name: emoji for emoji in sorted(found, key=lambda emoji: emoji.id, reverse=True)}

    async def _upload_all(self, lacking: Sequence[Image], there: dict[str, discord.Emoji]) -> None:
        """Upload images one after the other. One that is refused ends it: its family stays text."""
        for image in lacking:
            png = await asyncio.to_thread(_png, image)
            try:
                made = await self._client.create_application_emoji(name=image.emoji_name, image=png)
            except discord.HTTPException as error:
                if error.status != 400 or error.code == TOO_MANY:
                    raise
                there |= await self._listed()
                if image.emoji_name not in there:  # otherwise another process has just uploaded it
                    _log.error("Discord refused the emoji %s (code %d): its cards stay text", image.name, error.code)
                    return
            else:
                there[image.emoji_name] = made
            await asyncio.sleep(self._pause)

    def _use(self, family: Family, there: Mapping[str, discord.Emoji]) -> None:
        """Use a family's emojis if all of them are there."""
        if _missing(family, there):
            self._usable.pop(family, None)
            return
        named = ((name, images(Size.EMOJI)[name].emoji_name) for name in emoji_names(family))
        markups = {name: f"<:{emoji_name}:{there[emoji_name].id}>" for name, emoji_name in named}
        if self._usable.get(family) != markups:
            self._usable[family] = MappingProxyType(markups)

    async def _remove_outdated(self, there: Mapping[str, discord.Emoji]) -> None:
        """Remove former drawings of the families in use."""
        for family in tuple(self._usable):  # a refused emoji clears them meanwhile
            for name in emoji_names(family):
                for emoji in [emoji for emoji in there.values() if _is_outdated(emoji.name, name)]:
                    with suppress(discord.NotFound):  # another process has removed it
                        await emoji.delete()
                    await asyncio.sleep(self._pause)


def _png(image: Image) -> bytes:
    return image.png


def _missing(family: Family, there: Mapping[str, discord.Emoji]) -> list[Image]:
    """The images of a family that are not among these emojis."""
    drawn = [images(Size.EMOJI)[name] for name in emoji_names(family)]
    return [image for image in drawn if image.emoji_name not in there]


def _is_outdated(emoji_name: str, name: str) -> bool:
    """Whether an emoji is a former drawing of the image with this name."""
    beginning, _, digest = emoji_name.rpartition("_")
    return (
        beginning == name
        and _DIGEST.fullmatch(digest) is not None
        and emoji_name != images(Size.EMOJI)[name].emoji_name
    )


def _why(error: discord.HTTPException) -> str:
    """Why Discord refuses for good, and what to do."""
    if error.code == TOO_MANY:
        return "the application has as many emojis as Discord allows; remove some in the Developer Portal and restart"
    if error.status in _FORBIDDEN:
        return f"Discord does not let the bot manage its emojis (HTTP {error.status}, code {error.code})"
    return f"HTTP {error.status}, code {error.code}"
