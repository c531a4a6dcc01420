"""Champions of Chance's computer player: `player` has it, `memory` what it knows and doesn't, `sight` and
`rules_of_thumb` how it chooses, `judging` what it thinks of an act. `numbering` has the cards as numbers.
"""
