"""Part 4 of the course: masks and sentence pairs, and the run that makes a model from text."""
