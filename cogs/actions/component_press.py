"""A press of a component, from its id to the verb that answers it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeAlias

from bot.play.match_press import MatchPress
from cogs.interactions.responses import Interaction


@dataclass(frozen=True, slots=True)
class ComponentPress:
    """A press, admitted once and read once. Its verb answers it.

    `target`, `verb`, `window` and `arg` are the fields of the id (`cogs.screens.custom_ids`); if a line of a list was
    chosen, `arg` is that line's. The verb changes matches only through `changes`, which notifies the observers once the
    verb has returned.
    """

    interaction: Interaction
    target: str
    verb: str
    window: int
    arg: str
    changes: MatchPress

    @property
    def user_id(self) -> int:
        """Who pressed."""
        return self.interaction.user.id

    @property
    def message_id(self) -> int | None:
        """The message that was pressed."""
        return self.interaction.message.id if self.interaction.message else None


Verb: TypeAlias = Callable[[ComponentPress], Awaitable[None]]
"""A verb's function: it answers the press, once."""
