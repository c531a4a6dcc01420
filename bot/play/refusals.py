"""Why the bot does not do what somebody asked for, as a key of the catalogue and its values.

Refused            an answer to show privately: what, why, what next
├── StaleQuestion  the press answers a question that is no longer on the table
├── AlreadyMade    this very press was applied before
├── Unsaved        the store could not take it, so it did not happen
├── MatchFailed    a rule failed; the match is stopped under an error number
├── Suspended      the match's place was lost; it is suspended until a player resumes it
├── Unreadable     the match is over, and its log cannot be read
└── NotInstalled   the game is of another package, which is not installed at present
"""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TypeVar

from bot.games import game_title
from bot.store.errors import Busy, NotSaved
from bot.store.rows import Suspension
from engines.game import Value

T = TypeVar("T")


class Refused(Exception):  # noqa: N818  an answer, not an error
    """Something is not done; `key` and `values` make the sentence to show. Nothing has changed."""

    def __init__(self, key: str, **values: Value) -> None:
        super().__init__(key)
        self.key = key
        self.values = values


class StaleQuestion(Refused):
    """The question a press answers has been answered, or has passed."""

    def __init__(self) -> None:
        super().__init__("press.stale")


class AlreadyMade(Refused):
    """The press was applied when it first came in."""

    def __init__(self) -> None:
        super().__init__("press.already_made")


class Unsaved(Refused):
    """The move could not be written down, so it was not made. `busy` when waiting may help."""

    def __init__(self, *, busy: bool) -> None:
        super().__init__("store.busy" if busy else "store.unsaved")


class MatchFailed(Refused):
    """The match is stopped, because a rule failed or its log cannot be replayed; `number` finds it in the log."""

    def __init__(self, number: int) -> None:
        super().__init__("match.paused", number=number)
        self.number = number


class Suspended(Refused):
    """The match is suspended, without deadlines, because its place was lost; a player can resume it somewhere."""

    def __init__(self, why: Suspension) -> None:
        super().__init__(f"suspended.{why}")


class Unreadable(Refused):
    """A match that is over cannot be looked at, for its log cannot be read; `number` finds the reason."""

    def __init__(self, number: int) -> None:
        super().__init__("match.unreadable", number=number)


class NotInstalled(Refused):
    """The game is not installed on this bot at present. What is kept of it comes back with it."""

    def __init__(self, game: str, sentence: str = "game.not_installed") -> None:
        super().__init__(sentence, game=game_title(game))


async def translate_errors(writing: Awaitable[T]) -> T:
    """What the store answers. Raises Unsaved where it could not write; what else it raises passes through."""
    try:
        return await writing
    except (Busy, NotSaved) as error:
        raise as_unsaved(error) from None


def as_unsaved(error: Busy | NotSaved) -> Unsaved:
    """What the store's failure is to the one who asked."""
    return Unsaved(busy=isinstance(error, Busy))
