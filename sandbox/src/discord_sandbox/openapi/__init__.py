"""Discord's own description of its API, and what of a sandbox's traffic is not as it says."""
