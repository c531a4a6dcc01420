"""Practice against computers, and computers in one's own place (GUIDE.md)."""

from cogs.practice.commands import LettingPlay, PracticeCommands
from cogs.practice.screens import let_play_row
from cogs.rooms import Core, OpenRoom, Room
from cogs.screens.additions import Additions


def _open(core: Core) -> OpenRoom:
    commands = PracticeCommands(core.terms, core.computer_matches)
    return OpenRoom((LettingPlay(core.hands).answers(),), game_commands=commands.of)


ROOM = Room("practice", _open, Additions(hand=((10, let_play_row),)))
