"""How Discord divides servers among shards, and ranges of them."""
