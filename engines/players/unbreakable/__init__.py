"""The computer player of Unbreakable.

`numbers` has cards as numbers, `fast_table` the rules on them, `memory` what a seat remembers, `sampling` full tables
that fit it, `odds` how rounds go and what hands are worth, `rules_of_thumb` the levels *easy* and *normal*.
"""
