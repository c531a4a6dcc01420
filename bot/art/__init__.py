"""The pictures of cards: sheets drawn by `make art` (docs/art.md), and which picture belongs to which card.

`images` finds an image by its game and card, and makes a file of it. `sheet` reads and writes the sheets themselves.
"""
