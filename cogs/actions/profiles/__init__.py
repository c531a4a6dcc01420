"""The command /profile and its presses."""
