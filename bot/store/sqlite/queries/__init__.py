"""SQL by subject: plain functions that run in the database thread, each one whole piece of work."""
