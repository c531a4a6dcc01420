"""Screens of matches, invitations and rules: pure functions of what a reader may know."""
