"""High Card for Cardroom: a small game, to play and to copy."""

from __future__ import annotations

from bot.games import GamePackage
from cardroom_high_card.engine import HighCard
from cardroom_high_card.player import PLAYER

PACKAGE = GamePackage(game=HighCard(), cog="cardroom_high_card.cog", resources="cardroom_high_card", player=PLAYER)
"""What the entry point in pyproject.toml names: the rules, the cog, where sentences and rules page are, the player."""
