"""Last Card, a small game for two to four: a game to copy by `make new-game KIND=turns`."""
