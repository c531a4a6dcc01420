"""The screen of a profile: what somebody has done in a server."""
