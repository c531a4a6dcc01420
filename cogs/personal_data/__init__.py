"""What is stored about a person: `/mydata` exports it and deletes it (GUIDE.md)."""

from cogs.personal_data.commands import MyData
from cogs.rooms import Core, OpenRoom, Room


def _open(core: Core) -> OpenRoom:
    mine = MyData(
        core.store,
        core.closed_deals,
        core.matches,
        core.invitations,
        core.lifecycle,
        styled_hands=core.styled_hands,
        display_names=core.display_names,
        exports=core.exports,
    )
    return OpenRoom((mine.answers(),))


ROOM = Room("personal_data", _open, help_lines=((140, "mydata"),))
