"""A finished match step by step, as its reader chooses to see it."""
