"""Parts of the lesson "BIO tagging", in the order in which they are read."""
