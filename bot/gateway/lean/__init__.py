"""What goes past discord.py and aiohttp where they take too much: presses read and answers sent for less, behind
`CARDROOM_LEAN_REQUESTS`, and a slim cache of servers.

Only this package, and `bot.gateway.shards`, know privates of these libraries, whose versions are pinned. The requests
are frozen: they follow the libraries and get no new parts. With the switch off nothing of them runs (decisions 32, 49
and 59).
"""
