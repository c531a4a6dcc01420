"""Where *What decided it* and *Hint* are offered."""

from __future__ import annotations

from bot.play.deals.openings import can_begin_from
from bot.play.live_match import LiveMatch
from bot.store.computer_ids import people
from bot.ui.screen import Button, Press
from cogs.screens.presenter import Reader
from engines.game import Seat
from engines.players.levels import PLAYERS
from engines.players.review import Review, is_reviewed


def has_review(match: LiveMatch) -> bool:
    """Whether a match ended by its rules and is secret no more, and its game's matches can be judged."""
    if match.secret or match.result is None:
        return False
    return bool(match.result.ranks) and is_reviewed(match.game.info.key)


def gives_hints(match: LiveMatch, seat: Seat) -> bool:
    """Whether a seat may have a hint now: its player is asked something, and plays against computers alone.

    There are none for a deal of the day.
    """
    alone = match.day is None and len(people(match.seats)) == 1 < len(match.seats)
    return alone and match.game.info.key in PLAYERS and seat in match.awaited


def review_button(match: LiveMatch, reader: Reader) -> tuple[Button, ...]:
    """*What decided it*, where it is offered."""
    return (Button(reader.words("button.review"), Press("review")),) if has_review(match) else ()


def differently_row(match: LiveMatch, review: Review, reader: Reader) -> tuple[tuple[Button, ...], ...]:
    """A row with *Try it differently* for each of the moves that cost most, where one can begin from them."""
    if not review.costly or not can_begin_from(match):
        return ()
    words = reader.words
    presses = [Press("differently", arg=str(act.number)) for act in review.costly]
    return (tuple([Button(words("button.differently", place=n), press) for n, press in enumerate(presses, start=1)]),)


def hint_row(match: LiveMatch, seat: Seat, reader: Reader) -> tuple[tuple[Button, ...], ...]:
    """A row with *Hint*, where it is offered."""
    if not gives_hints(match, seat):
        return ()
    return ((Button(reader.words("button.hint"), Press("hint", match.window_number)),),)
