"""Small bots that use discord.py as its users do, one subject each."""
