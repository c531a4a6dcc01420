"""The HTTP API, version 10, route by route."""
