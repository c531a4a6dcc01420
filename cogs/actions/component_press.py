"""A press of a component, from its id to the verb that answers it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeAlias

from bot.play.match_press import MatchPress
from cogs.interactions.responses import Interaction


@dataclass(frozen=True, slots=True)
class ComponentPress:
    """A press on its way: admitted and read once, then handed to its verb, which answers it.

    `target`, `verb`, `window` and `arg` are the fields of the id (`cogs.screens.custom_ids`); where a line of a list
    was chosen, `arg` is that line's. What the verb changes of a match it changes with `changes`: the observers are told
    when the verb has returned.
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
"""What a verb does: it answers the press, once."""
