"""Days off, and pauses by agreement (GUIDE.md)."""

from cogs.away.commands import Away, Resting, rest_button
from cogs.away.keeper import AwayKeeper
from cogs.away.queries import Absences
from cogs.rooms import Core, OpenRoom, Room
from cogs.screens.additions import Additions


def _open(core: Core) -> OpenRoom:
    absences = Absences(core.store)
    keeper = AwayKeeper(absences, core.matches, core.stops, core.scheduler)
    answers = (Away(keeper, absences, core.scheduler.now).answers(), Resting(core.hands).answers())
    return OpenRoom(answers, (keeper,), keeper.resume, closing=(keeper,), export=absences.export)


ROOM = Room("away", _open, Additions(board_more=((65, rest_button),)), ((105, "away"),))
