"""The laws on each of our games."""
