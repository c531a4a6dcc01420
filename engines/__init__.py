"""The rules of the games: pure functions of values, on the standard library alone."""
