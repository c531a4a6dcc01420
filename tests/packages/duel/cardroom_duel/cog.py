"""Duel in Discord."""

from cogs.game_registry import GameRegistry
from cogs.games.haymaker import HaymakerPresenter
from cogs.screens.presenter import Reader
from engines.haymaker import Public


class DuelPresenter(HaymakerPresenter):
    """How Duel is shown: as Haymaker, but for one sentence."""

    def question(self, public: Public, reader: Reader) -> str:
        return reader.words.count("duel.question", public.draw, players=" · ".join(reader.names))


def setup(registry: GameRegistry) -> None:
    """Register the presenter and the commands."""
    registry.register("duel", DuelPresenter())
