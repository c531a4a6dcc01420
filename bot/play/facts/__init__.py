"""The facts of live matches: the last ones, which are kept, and all others, which are read when somebody needs them."""
