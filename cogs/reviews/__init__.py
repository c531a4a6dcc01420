"""What decided a match, hints, and trying a move differently (GUIDE.md)."""

from cogs.reviews.commands import Reviewing, TryingDifferently
from cogs.reviews.screens import hint_row, review_button
from cogs.rooms import Core, OpenRoom, Room
from cogs.screens.additions import Additions


def _open(core: Core) -> OpenRoom:
    reviewing = Reviewing(
        core.finder,
        core.closed_deals,
        core.store,
        core.reviewer,
        core.presenters,
        readers=core.readers,
        hands=core.hands,
    )
    differently = TryingDifferently(
        core.finder,
        core.closed_deals,
        core.store,
        core.matches,
        core.computer_matches,
        terms=core.terms,
        own_threads=core.own_threads,
    )
    return OpenRoom((reviewing.answers(), differently.answers()))


ROOM = Room("reviews", _open, Additions(result_more=((20, review_button),), hand=((20, hint_row),)))
