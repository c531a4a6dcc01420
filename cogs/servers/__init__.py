"""What the moderators of a server do, and the greeting that leads them there (GUIDE.md)."""

from cogs.rooms import Core, OpenRoom, Room
from cogs.servers.commands import SettingsPages
from cogs.servers.greeting import Greeting
from cogs.servers.queries import Greetings
from cogs.servers.stuck_matches import StuckMatches


def _open(core: Core) -> OpenRoom:
    settings = SettingsPages(
        core.server_settings, core.settings, core.store, core.wording, core.matches, updates=core.updates
    )
    stuck = StuckMatches(core.matches, core.lifecycle, core.server_settings, core.wording)
    greeting = Greeting(
        Greetings(core.store),
        core.messages,
        core.wording,
        core.presenters,
        core.scheduler.now,
        welcome=core.additions.welcome,
    )
    return OpenRoom((settings.answers(), stuck.answers()), joined=greeting.greet)


ROOM = Room("servers", _open, help_lines=((120, "help.settings"), (130, "help.calloff")))
