"""Finding people to play with: when they may be notified of open tables."""
