"""What commands and presses do."""
