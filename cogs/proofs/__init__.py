"""Proofs of deals, and /verify (GUIDE.md)."""

from cogs.proofs.commands import Proofs, Proving, Verifying
from cogs.proofs.screens import invited_button, played_button
from cogs.rooms import Core, OpenRoom, Room
from cogs.screens.additions import Additions


def _open(core: Core) -> OpenRoom:
    proofs = Proofs(core.store, core.finder, core.wording, core.closed_deals, core.files)
    verifying = Verifying(
        core.closed_deals,
        core.finder,
        core.invitations,
        core.wording,
        core.presenters,
        proofs=proofs,
        files=core.files,
    )
    proving = Proving(
        core.finder,
        proofs,
        core.store,
        core.matches,
        core.seating,
        wording=core.wording,
        updates=core.updates,
    )
    return OpenRoom((verifying.answers(), proving.answers()))


ROOM = Room(
    "proofs",
    _open,
    Additions(
        invitation=((10, invited_button),),
        board_more=((40, played_button),),
        deal=((20, played_button),),
        result_more=((40, played_button),),
    ),
    ((110, "verify"),),
)
