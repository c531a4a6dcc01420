"""The HTTP API, one resource a module."""
