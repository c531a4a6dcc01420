"""Who plays with whom: tables to be notified of, and series of matches between the same two."""
