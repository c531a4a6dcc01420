"""Duel in Discord."""

from cogs.actions.game_commands import game_commands
from cogs.app import CardroomApp
from cogs.games.haymaker import HaymakerPresenter
from cogs.screens.presenter import Reader
from engines.haymaker import Public


class DuelPresenter(HaymakerPresenter):
    """How Duel is shown: as Haymaker, but for one sentence."""

    def question(self, public: Public, reader: Reader) -> str:
        return reader.words.count("duel.question", public.draw, players=" · ".join(reader.names))


def setup(app: CardroomApp) -> None:
    """Register the presenter and the commands."""
    app.presenters["duel"] = DuelPresenter()
    app.tree.add_command(game_commands(app, "duel"))
