"""The laws that every game keeps, and what they are told of a game: ours, or one of another package."""
