"""Messages that follow a match: the board, open hands, turn notices, warnings."""
