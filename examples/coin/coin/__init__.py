"""A coin (GUIDE.md)."""

from cogs.rooms import Core, OpenRoom, Room

from .commands import Coin
from .queries import CoinQueries


def _open(core: Core) -> OpenRoom:
    queries = CoinQueries(core.store)
    return OpenRoom((Coin(queries).answers(),), export=queries.export)


ROOM = Room("coin", _open, help_lines=((145, "coin"),))
