"""Last Card for Cardroom: a small game, to play and to copy."""

from __future__ import annotations

from bot.games import GamePackage
from cardroom_last_card.engine import LastCard
from cardroom_last_card.player import PLAYER

PACKAGE = GamePackage(game=LastCard(), cog="cardroom_last_card.cog", resources="cardroom_last_card", player=PLAYER)
"""What the entry point in pyproject.toml names: the rules, the cog, where sentences and rules page are, the player."""
