"""Matches with computer players."""
