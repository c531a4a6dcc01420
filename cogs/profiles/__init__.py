"""What somebody has done in a server (GUIDE.md)."""

from cogs.profiles.comebacks import Comebacks
from cogs.profiles.commands import ProfileReader, Profiles
from cogs.profiles.queries import ProfileQueries
from cogs.profiles.screens import my_profile_button
from cogs.rooms import Core, OpenRoom, Room
from cogs.screens.additions import Additions


def _open(core: Core) -> OpenRoom:
    queries = ProfileQueries(core.store)
    reader = ProfileReader(
        core.store,
        queries,
        core.wording,
        Comebacks(core.store, queries, core.presenters, core.closed_deals),
    )
    added = core.additions
    profiles = Profiles(reader, core.wording, core.terms, added.profile, added.empty, core.post_budget)
    return OpenRoom((profiles.answers(),))


ROOM = Room("profiles", _open, Additions(leaderboard=((10, my_profile_button),)), ((80, "profile"),))
