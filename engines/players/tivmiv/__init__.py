"""The computer player of Tiv-Miv, a race.

`memory` is what a seat remembers, `rules_of_thumb` which card to lay, `standing` who is ahead, `player` all of it
together. The levels lay the same cards; they differ in how fast they are, which `engines.players.pace` says.
"""
