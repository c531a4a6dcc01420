"""How a person wants it (GUIDE.md)."""

from cogs.preferences.commands import Notify, PreferencesScreen
from cogs.rooms import Core, OpenRoom, Room


def _open(core: Core) -> OpenRoom:
    notify = Notify(core.store, core.additions.notify, core.scheduler.now)
    screen = PreferencesScreen(core.preferences, core.card_forms, core.styled_hands)
    return OpenRoom((notify.answers(), screen.answers()))


ROOM = Room("preferences", _open, help_lines=((90, "notify"), (100, "preferences")))
