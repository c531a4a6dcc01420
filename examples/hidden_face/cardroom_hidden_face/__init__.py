"""Hidden Face, a small game for three to five: a game to copy by `make new-game KIND=party`."""
