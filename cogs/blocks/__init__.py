"""People who want nothing to do with each other (GUIDE.md)."""

from cogs.blocks.commands import BlockList, DeclineForGood, decline_button
from cogs.blocks.queries import Blocks
from cogs.rooms import Core, OpenRoom, Room
from cogs.screens.additions import Additions


def _open(core: Core) -> OpenRoom:
    blocks = Blocks(core.store)
    listed = BlockList(blocks, core.wording, core.scheduler.now)
    declining = DeclineForGood(listed, core.finder, core.seating, core.wording, core.updates)
    return OpenRoom(
        (listed.answers(), declining.answers()), export=blocks.export, kept_apart=blocks.apart, avoids=blocks.blocked
    )


ROOM = Room("blocks", _open, Additions(invitation=((30, decline_button),)), ((110, "block"),))
