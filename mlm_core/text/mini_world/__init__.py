"""A corpus made by a grammar, so that the best possible loss is known."""
