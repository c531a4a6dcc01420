"""Computer players: they know what their seat knows, and nothing else.

`question` is what a player is asked, `answering` answers it, `levels` lists what each game offers. How long to wait
says `thinking`, and in a race `pace`. `player` has the protocols; each game has a package of its own. This package
imports the games, and nothing in `engines` imports it.
"""
