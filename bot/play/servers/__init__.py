"""What the moderators of a server set there: which settings there are, and what they are at present."""
