"""Presses read, and answers sent, for less than discord.py and aiohttp take; behind `CARDROOM_LEAN_REQUESTS`.

Only this package, and `bot.gateway.shards`, know privates of these libraries, whose versions are pinned. It is frozen:
it follows the libraries and gets no new parts. With the switch off nothing of it runs (decisions 32, 40 and 49).
"""
