"""Screens for the moderators of a server: the greeting, the settings, permissions, and stuck matches."""
