"""The computer player of Unbreakable: `odds` says how rounds go and what hands are worth, `player` chooses by it."""
