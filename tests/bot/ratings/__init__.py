"""What a match weighs, and whether a rating can be farmed."""
