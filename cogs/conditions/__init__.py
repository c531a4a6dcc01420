"""Conditional moves (GUIDE.md)."""

from cogs.conditions.commands import PlanAhead
from cogs.conditions.making import Conditions, PlanNotes
from cogs.conditions.queries import ConditionQueries
from cogs.conditions.screens import plan_button
from cogs.rooms import Core, OpenRoom, Room
from cogs.screens.additions import Additions


def _open(core: Core) -> OpenRoom:
    queries = ConditionQueries(core.store)
    conditions = Conditions(
        queries,
        core.matches,
        core.presses,
        core.presenters,
        admission=core.invitations.admission,
        scheduler=core.scheduler,
        telemetry=core.opened_deals.telemetry,
    )
    return OpenRoom(
        (PlanAhead(queries, core.hands).answers(),),
        (conditions,),
        conditions.resume,
        closing=(conditions,),
        export=queries.export,
        hand_note=PlanNotes(queries, core.presenters).note,
    )


ROOM = Room("conditions", _open, Additions(waiting_hand=((10, plan_button),)))
