"""What the moderators of a server do, and the greeting that leads them there (GUIDE.md)."""

from cogs.rooms import Core, OpenRoom, Room
from cogs.servers.commands import SettingsPages
from cogs.servers.greeting import Greeting
from cogs.servers.moderating import Barring, Moderating, OpenSeats
from cogs.servers.queries import Bars, Greetings, SetAsides
from cogs.servers.stuck_matches import OthersMatches


def _open(core: Core) -> OpenRoom:
    settings = SettingsPages(
        core.server_settings,
        core.settings,
        core.store,
        core.wording,
        core.matches,
        updates=core.updates,
        week=core.week,
    )
    bars = Bars(core.store)
    barring = Barring(bars, core.scheduler.now)
    moderating = Moderating(
        OthersMatches(core.matches, core.lifecycle, core.holds, core.server_settings, core.wording),
        OpenSeats(core.invitations, core.seating, core.wording, core.updates),
        barring,
        SetAsides(core.store),
        core.notifier,
    )
    greeting = Greeting(
        Greetings(core.store),
        core.messages,
        core.wording,
        core.server_settings,
        core.scheduler.now,
        welcome=core.additions.welcome,
    )
    return OpenRoom(
        (settings.answers(), moderating.answers()),
        resume=barring.resume,
        joined=greeting.greet,
        export=bars.export,
        may_play=barring.check,
        hand_note=moderating.note,
        week=greeting.post,
    )


ROOM = Room("servers", _open, help_lines=((120, "settings"), (130, "moderate")))
