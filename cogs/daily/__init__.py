"""The deal of the day (GUIDE.md)."""

from bot.play.deals.tried import TriedDeals
from cogs.daily.commands import Daily
from cogs.daily.deals import DailyDeals
from cogs.daily.messages import DailyMessages, DailyWeek
from cogs.daily.queries import DailyQueries
from cogs.daily.screens import look_button
from cogs.rooms import Core, OpenRoom, Room
from cogs.screens.additions import Additions


def _open(core: Core) -> OpenRoom:
    queries = DailyQueries(core.store)
    deals = DailyDeals(queries, TriedDeals(core.days, core.lifecycle, core.reviewer, core.scheduler))
    messages = DailyMessages(core.shown_messages, core.messages, queries, core.edits, core.wording, core.closed_deals)
    daily = Daily(
        deals,
        queries,
        core.closed_deals,
        core.hands,
        core.finder,
        terms=core.terms,
        presses=core.presses,
        readers=core.readers,
    )
    week = DailyWeek(queries, core.closed_deals, core.store, core.wording)
    return OpenRoom((daily.answers(),), (messages,), messages.resume, export=queries.export, week=week.post)


ROOM = Room("daily", _open, Additions(last_hand=((10, look_button),)), ((60, "daily"),))
