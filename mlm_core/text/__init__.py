"""Part 1 of the course: text becomes tokens."""
