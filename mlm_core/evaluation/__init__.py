"""How predictions are scored, and whether a difference is real."""
