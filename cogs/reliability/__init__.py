"""How reliably people play (GUIDE.md)."""

from cogs.reliability.commands import ReliabilityPresses, own_reliability_button, reliability_button
from cogs.rooms import Core, OpenRoom, Room
from cogs.screens.additions import Additions


def _open(core: Core) -> OpenRoom:
    presses = ReliabilityPresses(core.finder, core.store, core.wording, core.scheduler.now)
    return OpenRoom((presses.answers(),))


ROOM = Room(
    "reliability",
    _open,
    Additions(invitation=((20, reliability_button),), games=((10, own_reliability_button),)),
)
