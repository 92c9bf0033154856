"""Parts of the lesson "attention mask", in the order in which they are read."""
