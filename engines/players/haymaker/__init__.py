"""The computer player of Haymaker.

`bits` writes cards as bits of a number, `fast_table` is the table for search and training, `memory` what a seat
remembers, `candidates` which acts are worth trying, `rules_of_thumb` the levels *easy* and *normal*, `features` and
`net` the level *hard*.
"""
