"""Processes that work for the bot: started by it, asked one thing after the other, and ended with it."""
