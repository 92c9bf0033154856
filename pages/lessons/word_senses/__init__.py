"""Parts of the lesson "word senses", in the order in which they are read."""
