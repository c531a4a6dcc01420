"""The deal of the week (GUIDE.md)."""

from bot.play.deals.tried import TriedDeals
from cogs.rooms import Core, OpenRoom, Room
from cogs.screens.additions import Additions
from cogs.weekly.commands import Weekly
from cogs.weekly.queries import WeeklyQueries
from cogs.weekly.scoring import Scoring
from cogs.weekly.screens import look_button


def _open(core: Core) -> OpenRoom:
    queries = WeeklyQueries(core.store)
    scoring = Scoring(queries, core.scheduler)
    weekly = Weekly(
        queries,
        scoring,
        TriedDeals(core.days, core.lifecycle, core.reviewer, core.scheduler),
        core.hands,
        terms=core.terms,
        presses=core.presses,
        server_settings=core.server_settings,
    )
    return OpenRoom((weekly.answers(),), (scoring,), scoring.resume, closing=(scoring,), export=queries.export)


ROOM = Room("weekly", _open, Additions(last_hand=((10, look_button),)), ((61, "weekly"),))
