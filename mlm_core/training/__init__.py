"""Part 3 of the course: a model learns, step by step."""
