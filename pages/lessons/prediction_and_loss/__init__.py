"""Parts of the lesson "prediction and loss", in the order in which they are read."""
