"""The first lesson of each game: tables laid out by hand, the moves to choose from, and how the computers answer."""
