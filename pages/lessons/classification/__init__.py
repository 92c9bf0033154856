"""Parts of the lesson "classification", in the order in which they are read."""
