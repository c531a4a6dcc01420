"""Champions of Chance's computer player: `player` has it, `memory` and `imagining` what it knows and doesn't,
`fast_table` the rules on numbers, `sight` and `rules_of_thumb` how it chooses.
"""
