"""What the bot posts of a server's week (GUIDE.md)."""

from cogs.rooms import Core, OpenRoom, Room
from cogs.server_week.posts import WeekMessages
from cogs.server_week.queries import WeekQueries


def _open(core: Core) -> OpenRoom:
    queries = WeekQueries(core.store)
    messages = WeekMessages(
        core.week, queries, core.shown_messages, core.messages, core.edits, core.roles, core.server_settings
    )
    return OpenRoom(resume=messages.resume, closing=(messages,), export=queries.export)


ROOM = Room("server_week", _open)
