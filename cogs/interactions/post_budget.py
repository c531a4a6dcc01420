"""How much the bot posts in public because of one person: one budget for whatever they have it post.

The bot's own messages pass a channel's slow mode. So what people post through it keeps to the slow mode here, and to a
number a minute. A restart forgets it, which does no harm.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager, suppress
from typing import Final

from bot.budgets import POSTS_COUNT_FOR, SAME_POST_AFTER
from bot.kept import Kept
from bot.play.refusals import Refused
from cogs.interactions.responses import Interaction

_LONGEST_SLOW_MODE: Final = 6 * 3600.0
"""Seconds (https://discord.com/developers/docs/resources/channel)."""
_SWEEP: Final = 1024
"""With more people than this, those whom nothing keeps waiting are forgotten."""
_MOST: Final = 20_000
"""With more than this, those who waited longest are forgotten too."""


class PostBudget:
    """What the bot has posted lately because of whom, and where."""

    def __init__(self, most: int) -> None:
        """`most` is how many posts one person may have it make in a minute."""
        self._most = most
        self._lately: Kept[int, deque[float]] = Kept("people who posted", _MOST)
        self._here: Kept[tuple[int, int], float] = Kept("places where people posted", _MOST)
        self._things: Kept[tuple[int, Hashable], float] = Kept("things posted", _MOST)

    @contextmanager
    def spending(self, interaction: Interaction, what: Hashable = None) -> Iterator[Callable[[], None]]:
        """Count a post that is made within the block; if it raises, or calls what it is given, nothing was posted, and
        nothing is counted.

        `what` names a thing that is posted once an hour in a channel. Raises Refused if the person, the channel's slow
        mode or the thing must wait.
        """
        user_id, channel_id, now = interaction.user.id, interaction.channel_id or 0, interaction.created_at.timestamp()
        self._forget(now)
        lately = self._lately.setdefault(user_id, deque(maxlen=self._most))
        here, thing = (user_id, channel_id), (channel_id, what)
        if len(lately) == self._most and now - lately[0] < POSTS_COUNT_FOR:
            raise Refused("post.too_many", limit=self._most, when=_when(lately[0] + POSTS_COUNT_FOR))
        slow_mode = _slow_mode(interaction)
        if slow_mode and now - self._here.get(here, -SAME_POST_AFTER) < slow_mode:  # an earlier press may come later
            raise Refused("post.slow_mode", when=_when(self._here[here] + slow_mode))
        if now - self._things.get(thing, -SAME_POST_AFTER) < SAME_POST_AFTER:
            raise Refused("post.again", when=_when(self._things[thing] + SAME_POST_AFTER))
        lately.append(now)
        self._here[here] = now
        if what is not None:
            self._things[thing] = now

        def take_back() -> None:
            with suppress(ValueError):
                lately.remove(now)
            if self._here.get(here) == now:
                del self._here[here]
            self._things.pop(thing, None)

        try:
            yield take_back
        except BaseException:
            take_back()
            raise

    def _forget(self, now: float) -> None:
        if len(self._lately) > _SWEEP:
            since = now - POSTS_COUNT_FOR
            self._lately.keep_only(lambda made: bool(made) and made[-1] > since)
        if len(self._here) > _SWEEP:
            self._here.keep_only(lambda at: now - at < _LONGEST_SLOW_MODE)
        if len(self._things) > _SWEEP:
            self._things.keep_only(lambda at: now - at < SAME_POST_AFTER)


def _when(at: float) -> str:
    return f"<t:{at:.0f}:R>"


def _slow_mode(interaction: Interaction) -> int:
    """How many seconds the slow mode of the channel has the person wait between two messages."""
    granted = interaction.permissions
    if granted.manage_messages or granted.manage_channels or granted.bypass_slowmode:
        return 0
    return int(getattr(interaction.channel, "slowmode_delay", 0) or 0)
