"""Quick Step for Cardroom: a small game, to play and to copy."""

from __future__ import annotations

from bot.games import GamePackage
from cardroom_quick_step.engine import QuickStep
from cardroom_quick_step.player import PLAYER

PACKAGE = GamePackage(game=QuickStep(), cog="cardroom_quick_step.cog", resources="cardroom_quick_step", player=PLAYER)
"""What the entry point in pyproject.toml names: the rules, the cog, where sentences and rules page are, the player."""
