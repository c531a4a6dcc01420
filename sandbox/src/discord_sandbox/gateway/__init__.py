"""The gateway: sockets, sessions, identify limits, intents."""
