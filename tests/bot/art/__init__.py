"""The pictures of the cards, and how the bot finds them."""
