"""Practice against computers, and computers in one's own place (GUIDE.md)."""

from cogs.practice.commands import LettingPlay, Practice, let_play_row, practice_button
from cogs.rooms import Core, OpenRoom, Room
from cogs.screens.additions import Additions


def _open(core: Core) -> OpenRoom:
    practice = Practice(core.terms, core.computer_matches)
    return OpenRoom((practice.answers(), LettingPlay(core.hands).answers()), game_commands=practice.of)


ROOM = Room("practice", _open, Additions(hand=((10, let_play_row),), welcome=((30, practice_button),)))
