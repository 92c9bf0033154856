"""An encoder points at the span of a text that answers a question."""
