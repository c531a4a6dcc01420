"""Somebody to play with: `/play`, and who is notified when a table opens (GUIDE.md)."""

from cogs.matchmaking.commands import Play, TableNoticePresses
from cogs.matchmaking.notices import TableNotices
from cogs.matchmaking.queries import TableSubscriptions
from cogs.matchmaking.screens import play_button, tables_buttons
from cogs.matchmaking.tables import SittingDown, TableSearch, WaitingTables
from cogs.rooms import Core, OpenRoom, Room
from cogs.screens.additions import Additions


def _open(core: Core) -> OpenRoom:
    subscriptions, now = TableSubscriptions(core.store), core.scheduler.now
    play = Play(
        TableSearch(
            core.seating, core.invitations, core.matches, core.store, core.access, wording=core.wording, now=now
        ),
        SittingDown(
            core.seating,
            core.presses,
            core.own_threads,
            core.wording,
            core.finder,
            updates=core.updates,
            notices=core.updates.notices,
        ),
        WaitingTables(core.inviting, core.posts, core.messages),
        core.terms,
        core.computer_matches,
        matches=core.matches,
        server_settings=core.server_settings,
    )
    presses = TableNoticePresses(subscriptions)
    notices = TableNotices(
        core.notifier,
        subscriptions,
        core.store,
        core.edits,
        wording=core.wording,
        open_invitation=core.invitations.open_by_id,
        scheduler=core.scheduler,
        admission=core.invitations.admission,
    )
    return OpenRoom((play.answers(), presses.answers()), (notices,), export=subscriptions.export)


ADDITIONS = Additions(notify=((10, tables_buttons),), welcome=((20, play_button),), empty=((10, play_button),))
ROOM = Room("matchmaking", _open, ADDITIONS, ((10, "play"),))
