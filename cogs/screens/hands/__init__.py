"""The hand: its text, its buttons, and what is picked in it."""
