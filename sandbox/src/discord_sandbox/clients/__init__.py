"""People at their clients: in tests, and on the page."""
