"""Parts of the lesson "train an encoder", in the order in which they are read."""
