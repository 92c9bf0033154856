"""Parts of the lesson "subword tokens", in the order in which they are read."""
