"""What rooms put on the core's screens, and on each other's. The core says which rows there are, and in which order
buttons stand there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from operator import itemgetter
from typing import TYPE_CHECKING, Any, ParamSpec, TypeAlias, TypeVar

from bot.play.live_match import LiveMatch
from bot.store.queries.invitations import Invitation
from bot.ui.catalogue import Translations
from bot.ui.screen import Button, Rows

if TYPE_CHECKING:
    from cogs.screens.presenter import Presenter, Reader  # a reader has what is added to what they read

Shown = TypeVar("Shown")
Part = TypeVar("Part")
Given = ParamSpec("Given")
Placed: TypeAlias = tuple[tuple[int, Shown], ...]
"""The content of one row, each with its number in the order: those with lower numbers come first."""

MatchButtons: TypeAlias = "Callable[[LiveMatch, Reader], Sequence[Button]]"
"""The buttons that a match has for a reader; none where they make no sense."""
WaitingButtons: TypeAlias = "Callable[[LiveMatch, Presenter, Reader], Sequence[Button]]"
"""The buttons that a match has for a reader on a seat for whom it doesn't wait."""
MatchRows: TypeAlias = "Callable[[LiveMatch, Reader], Rows]"
"""The rows of buttons that a match has for a reader on a seat."""
InvitationButtons: TypeAlias = Callable[[Invitation, Translations, int], Sequence[Button]]
"""The buttons that an open invitation has for a user; none that this user could only be refused."""
Buttons: TypeAlias = Callable[[Translations], Sequence[Button]]
"""Buttons that are the same for everybody who reads a language."""
GameButtons: TypeAlias = Callable[[str, Translations], Sequence[Button]]
"""The buttons of a game, which may not be installed any more."""
GameRows: TypeAlias = "Callable[[str, Presenter, Translations], Rows]"
"""The rows that a game has, by its key; none where they make no sense."""


@dataclass(frozen=True, slots=True)
class Additions:
    """What rooms add. The core's own buttons are ordered in the same rows (`arranged`)."""

    invitation: Placed[InvitationButtons] = ()
    """Behind *More…* on a challenge or a table, in private."""
    board_more: Placed[MatchButtons] = ()
    """Behind *More…* on a board, in private."""
    result: Placed[MatchButtons] = ()
    """The row of a result: what people most often go on with, beside *More…*."""
    result_more: Placed[MatchButtons] = ()
    """Behind *More…* on a result, in private: everything else."""
    hand: Placed[MatchRows] = ()
    """Rows below the moves of a hand, from top to bottom."""
    waiting_hand: Placed[WaitingButtons] = ()
    """A row of a hand whose owner waits for others."""
    last_hand: Placed[MatchButtons] = ()
    """The row of a hand without a board, once its match is over."""
    deal: Placed[MatchButtons] = ()
    """Beside the deal of a match, where no board of it is shown."""
    games: Placed[Buttons] = ()
    """The last row of the list of somebody's matches."""
    notify: Placed[Buttons] = ()
    """The last row of the screen of `/notify`."""
    leaderboard: Placed[Buttons] = ()
    """Behind *?* of a leaderboard."""
    profile: Placed[GameButtons] = ()
    """The row of buttons below a profile that is shown in private, given the game whose rating is drawn."""
    rules: Placed[GameRows] = ()
    """Below every page of a game's rules."""
    welcome: Placed[Buttons] = ()
    """The row of `/help` and of the greeting of a server: how to begin."""
    empty: Placed[Buttons] = ()
    """Below a profile, or a list of matches or ranks, that has nothing to show: what fills it."""


def together(all_rooms: Iterable[Additions]) -> Additions:
    """What all rooms add to each row."""
    rooms = tuple(all_rooms)

    def row(name: str) -> tuple[Any, ...]:
        return tuple(each for room in rooms for each in getattr(room, name))

    return Additions(*(row(each.name) for each in fields(Additions)))


NOTHING_ADDED = Additions()


def arranged(
    own: Iterable[tuple[int, Iterable[Part]]],
    placed: Placed[Callable[Given, Iterable[Part]]],
    *given: Given.args,
    **named: Given.kwargs,
) -> tuple[Part, ...]:
    """The core's `own` buttons (or rows) and those that rooms have added, made of what is given, in their
    order."""
    added = ((order, made(*given, **named)) for order, made in placed)
    return tuple(part for _, parts in sorted((*own, *added), key=itemgetter(0)) for part in parts)
