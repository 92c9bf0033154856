"""Parts of the lesson "sentence pairs", in the order in which they are read."""
