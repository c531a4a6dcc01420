"""The computer player of Haymaker.

`bits` writes cards as bits of a number, `memory` is what a seat remembers, `history` what a player has told by its
acts, `candidates` which acts are worth trying, `rules_of_thumb` the levels *easy* and *normal*, `features` and `net`
the level *hard*. `table` is a fast table, for reviews and to play matches on.
"""
