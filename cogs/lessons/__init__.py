"""First lessons (GUIDE.md)."""

from cogs.lessons.commands import Learning
from cogs.lessons.screens import learn_button, lesson_row
from cogs.rooms import Core, OpenRoom, Room
from cogs.screens.additions import Additions


def _open(core: Core) -> OpenRoom:
    learning = Learning(
        core.presenters,
        core.preferences,
        core.card_forms,
        core.terms,
        computer_matches=core.computer_matches,
        stops=core.stops,
    )
    return OpenRoom((learning.answers(),))


ADDITIONS = Additions(rules=((10, lesson_row),), welcome=((10, learn_button),))
ROOM = Room("lessons", _open, ADDITIONS, ((30, "learn"),))
