"""Parts of the lesson "inside a prediction", in the order in which they are read."""
