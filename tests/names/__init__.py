"""Names of the whole world, on every screen."""
