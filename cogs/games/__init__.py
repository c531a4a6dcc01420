"""The games: for each its commands and its presenter."""
