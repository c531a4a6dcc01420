"""Hidden Face for Cardroom: a small game, to play and to copy."""

from __future__ import annotations

from bot.games import GamePackage
from cardroom_hidden_face.engine import HiddenFace
from cardroom_hidden_face.player import PLAYER

PACKAGE = GamePackage(
    game=HiddenFace(), cog="cardroom_hidden_face.cog", resources="cardroom_hidden_face", player=PLAYER
)
"""What the entry point in pyproject.toml names: the rules, the cog, where sentences and rules page are, the player."""
