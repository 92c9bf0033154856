"""Parts of the lesson "isotropy", in the order in which they are read."""
