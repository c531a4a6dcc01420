"""The reasons why the bot refuses a request, as a key of the catalogue and its values.

Refused            an answer to show privately: what, why, what next
├── StaleQuestion  the press answers a question that is no longer on the table
├── AlreadyMade    this very press was applied before, or it repeats one whose answer was lost
├── StandInPlays       a computer plays the presser's seat on; they can take it back
├── Unsaved        the store could not take it, so it did not happen
│   └── MaybeSaved  the store failed, and nobody can say whether it happened
├── MatchFailed    a rule failed; the match is stopped under an error number
├── Suspended      the match's venue was lost; it is suspended until a player resumes it
├── MatchAltered   the log or the deal of the match was altered; nobody can play or see it
├── Unreadable     the match is over, and its log cannot be read
└── NotInstalled   the game is of another package, which is not installed at present
"""

from __future__ import annotations

from collections.abc import Awaitable, Iterator
from contextlib import contextmanager
from typing import Final, TypeVar

from bot.games import game_title
from bot.play.own_acts import MadeAct
from bot.store.errors import Busy, Fenced, NotSaved, Unsettled
from bot.store.queries.matches import Obstacle, Suspension
from bot.store.verification import AlteredPart
from bot.ui.catalogue import Translations
from bot.ui.command_names import name_in
from engines.game import Seat, Value
from engines.options import OptionRefused

T = TypeVar("T")


NOT_SAVED: Final = frozenset({"store.unsaved", "store.unsettled"})
"""What is refused because the database failed, and not because it was busy."""


class Refused(Exception):  # noqa: N818  an answer, not an error
    """The request was refused and nothing has changed. `key` and `values` make the sentence to show."""

    def __init__(self, key: str, **values: Value) -> None:
        super().__init__(key)
        self.key = key
        self.values = values

    def told(self, words: Translations) -> str:
        """The sentence in a message of its own, with what a hand has no room for: whom to tell if the database keeps
        failing."""
        told = words(self.key, **self._values(words))
        return f"{told} {words('store.keeps_failing')}" if self.key in NOT_SAVED else told

    def _values(self, words: Translations) -> dict[str, Value]:
        """The values, with an option by the name that it has in a language."""
        option = self.values.get("option")
        return {**self.values, "option": name_in(words, str(option))} if option else self.values


class StaleQuestion(Refused):
    """The question that a press answers is already answered or has expired."""

    def __init__(self) -> None:
        super().__init__("press.stale")


class AlreadyMade(Refused):
    """The press was already applied when it first arrived, or it repeats a press that made `made`."""

    def __init__(self, made: tuple[MadeAct, ...] = ()) -> None:
        super().__init__("press.already_made")
        self.made = made


class StandInPlays(Refused):
    """A computer plays the seat on, so its player must take it back before they can act (C-8)."""

    def __init__(self) -> None:
        super().__init__("stand_in.held")


class Unsaved(Refused):
    """The move could not be saved, so it was not made. `busy` if waiting may help."""

    def __init__(self, *, busy: bool) -> None:
        super().__init__("store.busy" if busy else "store.unsaved")


class MaybeSaved(Unsaved):
    """The move was not made, but it may be there after a restart, because the disk failed."""

    def __init__(self) -> None:
        Refused.__init__(self, "store.unsettled")


class MatchFailed(Refused):
    """The match is stopped, because a rule failed or its log cannot be replayed; `number` finds it in the log."""

    def __init__(self, number: int) -> None:
        super().__init__("match.paused", number=number)
        self.number = number


class Suspended(Refused):
    """The match is suspended, without deadlines, because its venue was lost. A player can resume it elsewhere."""

    def __init__(self, why: Suspension) -> None:
        super().__init__(f"suspended.{why}")


class NotAllCanPlay(Refused):
    """A suspended match cannot be resumed here, because the player on a seat cannot follow it here.

    If Discord did not say whether they can (`Obstacle.UNKNOWN`), a second player has to agree.
    """

    def __init__(self, seat: Seat, obstacle: Obstacle) -> None:
        super().__init__(f"resume.{obstacle}")
        self.seat = seat


class Unreadable(Refused):
    """A finished match cannot be shown because its log cannot be read; `number` finds the reason."""

    def __init__(self, number: int) -> None:
        super().__init__("match.unreadable", number=number)


class MatchAltered(Refused):
    """What is stored of the match isn't what was saved, so it is on hold, or can't be shown if it is over."""

    def __init__(self, part: AlteredPart, *, over: bool) -> None:
        super().__init__(f"match.altered_over.{part}" if over else f"match.altered.{part}")


class NotInstalled(Refused):
    """The game is not installed on this bot at present. What is kept of it comes back with it."""

    def __init__(self, game: str, sentence: str = "game.not_installed") -> None:
        super().__init__(sentence, game=game_title(game))


async def translate_errors(writing: Awaitable[T]) -> T:
    """Await a store operation. Raises Unsaved if the store could not write; other exceptions pass through."""
    try:
        return await writing
    except (Busy, Fenced, NotSaved, Unsettled) as error:
        raise as_unsaved(error) from None


@contextmanager
def checked_options() -> Iterator[None]:
    """For choosing options. Raises Refused where they do not fit together, or where one does not accept its value."""
    try:
        yield
    except OptionRefused as refused:
        raise Refused(refused.key, **refused.values) from None


def as_unsaved(error: Busy | Fenced | NotSaved | Unsettled) -> Unsaved:
    """The refusal for a failure of the store. Another process takes what a fenced one couldn't save, a moment later."""
    if isinstance(error, Unsettled):
        return MaybeSaved()
    return Unsaved(busy=isinstance(error, Busy | Fenced))
