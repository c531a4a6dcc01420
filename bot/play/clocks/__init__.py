"""The clocks of matches: their deadlines, and what happens when one is due."""
