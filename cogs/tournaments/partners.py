"""Who plays together in a tournament of teams.

While people join, two who ask each other are a team. When it begins, those who have no partner are put together in the
order in which they joined, and from then on a team is a number.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.pairing.model import Apart
from cogs.tournaments.rows import EntrantRow, Whole

Team = tuple[EntrantRow, EntrantRow]


def partner(whole: Whole, entrant: EntrantRow) -> EntrantRow | None:
    """The partner of somebody, also one who has left; None if they have none yet."""
    if entrant.team is not None:
        return next((each for each in whole.members(entrant.team) if each.number != entrant.number), None)
    asked = asks(whole, entrant)
    other = None if asked is None else whole.entrant(asked)
    return other if other is not None and other.there and asks(whole, other) == entrant.user_id else None


def asks(whole: Whole, entrant: EntrantRow) -> int | None:
    """Whom somebody asks to be their partner."""
    return next((each.user_id for each in whole.asks if each.number == entrant.number), None)


def asked_by(whole: Whole, user_id: int) -> list[EntrantRow]:
    """Who asks somebody and has no partner yet, in the order of joining."""
    return [each for each in whole.people if asks(whole, each) == user_id and partner(whole, each) is None]


def teams(whole: Whole) -> list[Team]:
    """The teams there are while people join, in the order of joining."""
    found = []
    for each in whole.people:
        other = partner(whole, each)
        if other is not None and each.number < other.number:
            found.append((each, other))
    return found


def alone(whole: Whole) -> list[EntrantRow]:
    """Who has no partner yet."""
    return [each for each in whole.people if partner(whole, each) is None]


def is_settled(whole: Whole) -> bool:
    """Whether nobody in it is still to answer who asks them."""
    without = {each.user_id for each in alone(whole)}
    return not any(asks(whole, each) in without for each in alone(whole))


def together(whole: Whole, here: Sequence[EntrantRow], apart: Apart) -> list[Team]:
    """The teams of those who are here when it begins. Who is without a partner plays with the next one who is too, and
    is not kept apart from them; who is left over is in no team."""
    numbers = {each.number for each in here}
    found = [both for both in teams(whole) if {each.number for each in both} <= numbers]
    taken = {each.number for both in found for each in both}
    left = [each for each in here if each.number not in taken]
    while left:
        one = left.pop(0)
        other = next((each for each in left if frozenset({one.user_id, each.user_id}) not in apart), None)
        if other is not None:
            left.remove(other)
            found.append((one, other))
    return found
