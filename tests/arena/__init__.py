"""Where computer players are measured; pytest runs none of it."""
