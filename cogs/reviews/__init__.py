"""What decided a match, its story, hints, and trying a move differently (GUIDE.md)."""

from cogs.reviews.commands import FinishedReviews, Reviewing, Sharing, TryingDifferently
from cogs.reviews.screens import hint_row, review_button
from cogs.reviews.story import share_button
from cogs.rooms import Core, OpenRoom, Room
from cogs.screens.additions import Additions


def _open(core: Core) -> OpenRoom:
    finished = FinishedReviews(core.finder, core.closed_deals, core.store, core.reviewer)
    reviewing = Reviewing(finished, core.reviewer, core.presenters, readers=core.readers, hands=core.hands)
    differently = TryingDifferently(
        finished,
        core.store,
        core.matches,
        core.computer_matches,
        terms=core.terms,
        own_threads=core.own_threads,
    )
    sharing = Sharing(finished, core.presenters, core.readers, terms=core.terms, budget=core.post_budget)
    return OpenRoom((reviewing.answers(), differently.answers(), sharing.answers()))


ROOM = Room(
    "reviews",
    _open,
    Additions(result_more=((20, review_button), (25, share_button)), hand=((20, hint_row),)),
)
