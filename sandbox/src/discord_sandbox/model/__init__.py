"""The data of this Discord: state, payloads, permissions, errors, limits."""
