"""What this Discord holds, and the terms it speaks in: state, payloads, permissions, errors, limits."""
