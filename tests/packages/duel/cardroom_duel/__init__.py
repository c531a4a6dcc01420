"""Duel: the rules of Haymaker under another name, as small as a game in another package can be."""

from dataclasses import replace

from bot.games import GamePackage
from engines.haymaker import Haymaker


class Duel(Haymaker):
    """The rules of Duel."""

    info = replace(Haymaker.info, key="duel", title="Duel")


PACKAGE = GamePackage(Duel(), "cardroom_duel.cog", "cardroom_duel")
