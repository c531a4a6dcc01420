"""What commands and presses do, from admission to answer."""
