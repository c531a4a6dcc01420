"""Replays of finished matches, and lists of them (GUIDE.md)."""

from bot.scheduler import begins_at
from cogs.replays.commands import History, Replaying, ReplayOpener
from cogs.replays.queries import ReplayQueries
from cogs.replays.replay import OpenReplays
from cogs.replays.screens import replay_button
from cogs.rooms import Core, OpenRoom, Room
from cogs.screens.additions import Additions


def _open(core: Core) -> OpenRoom:
    queries = ReplayQueries(core.store)
    replays = OpenReplays(core.store, core.matches, lambda: begins_at(core.closed_deals.today()))
    replaying = Replaying(
        core.finder,
        ReplayOpener(replays, core.readers, core.presenters),
        queries,
        core.closed_deals,
        core.terms,
        wording=core.wording,
        budget=core.post_budget,
        files=core.files,
    )
    history = History(core.store, queries, core.closed_deals, core.wording, core.additions.empty)
    return OpenRoom((history.answers(), replaying.answers()))


ROOM = Room("replays", _open, Additions(result=((20, replay_button),)), ((50, "history"), (51, "replay")))
