"""A coin (GUIDE.md)."""

from cogs.rooms import Core, OpenRoom, Room

from .commands import Coin
from .queries import CoinTables


def _open(core: Core) -> OpenRoom:
    tables = CoinTables(core.store)
    return OpenRoom((Coin(tables).answers(),), export=tables.export)


ROOM = Room("coin", _open, help_lines=((145, "coin"),))
