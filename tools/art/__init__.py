"""The card art: every picture drawn as paths, and the sheets that the bot ships (docs/art.md)."""
