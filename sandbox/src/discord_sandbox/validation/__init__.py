"""Reads what a bot sends, field by field, and refuses what Discord refuses."""
