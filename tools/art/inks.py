"""The colours, by what they are for. Every contrast that matters is in docs/art.md and tested."""

from __future__ import annotations

from typing import Final

WHITE: Final = "#ffffff"
CARD: Final = WHITE
EDGE: Final = "#6b7280"
"""Around light tiles: needed on a light theme, quiet on a dark one."""

SPADES: Final = "#15171c"
CLUBS: Final = "#0b62a8"
HEARTS: Final = "#b90a2d"
DIAMONDS: Final = "#c94f07"
JOKER: Final = "#7c1fa8"
BACK: Final = "#3730a3"

INDEX_1: Final = CLUBS
INDEX_2: Final = "#c2410c"
INDEX_3: Final = "#3b0f70"
TIVMIV_BACK: Final = "#0b4a5a"

DIE: Final = "#fff7e0"
DIE_INK: Final = "#12233f"
SPECIAL: Final = "#3b1d7a"
SPECIAL_SIGN: Final = "#ffd84d"
DIE_BACK: Final = "#7a4a12"

FELT: Final = "#1d4a40"
STRIP: Final = "#255a4e"
PILL: Final = "#111418"
GOLD: Final = SPECIAL_SIGN
SEATS: Final = ("#3b5bdb", INDEX_2, JOKER, "#0f766e", "#be123c", "#4b5563")
"""The badges of the seats, in order. Their numbers tell them apart; the colours help."""
