"""Which tokens are chosen, and what the model sees instead."""
