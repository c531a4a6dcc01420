"""Leaderboards, and why a rating changed (GUIDE.md)."""

from bot.play.seasons import SeasonFirsts
from cogs.leaderboards.calendar import LeaderboardCalendar, SeasonEnds
from cogs.leaderboards.commands import Leaderboards, RatingPresses
from cogs.leaderboards.managing import ManagedLeaderboards
from cogs.leaderboards.queries import LeaderboardQueries
from cogs.leaderboards.screens import leaderboard_button, rating_button
from cogs.rooms import Core, OpenRoom, Room
from cogs.screens.additions import Additions


def _open(core: Core) -> OpenRoom:
    queries = LeaderboardQueries(core.store)
    calendar = LeaderboardCalendar(queries, SeasonFirsts(core.store), core.server_settings, core.days, core.scheduler)
    shown = Leaderboards(
        core.store,
        queries,
        core.finder,
        core.days,
        core.server_settings,
        core.wording,
        calendar=calendar,
        additions=core.additions,
    )
    managed = ManagedLeaderboards(shown, core.terms, core.post_budget, core.files)
    answers = (shown.answers(), managed.answers(), RatingPresses(core.finder, core.store).answers())
    ends = SeasonEnds(core.store, queries, core.days, core.server_settings, core.wording)
    return OpenRoom(
        answers, resume=calendar.resume, closing=(calendar,), game_commands=shown.game_commands, week=ends.post
    )


ROOM = Room(
    "leaderboards",
    _open,
    Additions(result_more=((27, rating_button),), profile=((20, leaderboard_button),)),
    ((70, "leaderboard"),),
)
