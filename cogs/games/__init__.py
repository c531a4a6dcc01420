"""One module a game: its commands and how it looks."""
