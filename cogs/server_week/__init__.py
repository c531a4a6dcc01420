"""What the bot posts of a server's week (GUIDE.md)."""

from cogs.rooms import Core, OpenRoom, Room
from cogs.server_week.posts import WeekMessages
from cogs.server_week.queries import WeekTables


def _open(core: Core) -> OpenRoom:
    tables = WeekTables(core.store)
    messages = WeekMessages(
        core.week, tables, core.shown_messages, core.messages, core.edits, core.roles, core.server_settings
    )
    return OpenRoom(resume=messages.resume, closing=(messages,), export=tables.export)


ROOM = Room("server_week", _open)
