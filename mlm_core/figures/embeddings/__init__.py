"""Maps of senses, and cosines."""
