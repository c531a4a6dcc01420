"""What follows a match: rematches and series (GUIDE.md)."""

from cogs.rooms import Core, OpenRoom, Room
from cogs.screens.additions import Additions
from cogs.series.commands import RematchPresses, SeriesPresses, other_options_button, play_on_button


def _open(core: Core) -> OpenRoom:
    rematches = RematchPresses(
        core.finder,
        core.posts,
        core.terms,
        core.computer_matches,
        core.server_settings,
        seating=core.seating,
        wording=core.wording,
    )
    series = SeriesPresses(rematches, core.store, core.scheduler.now)
    return OpenRoom((rematches.answers(), series.answers()))


ROOM = Room("series", _open, Additions(result=((10, play_on_button),), result_more=((10, other_options_button),)))
