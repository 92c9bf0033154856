"""Part 5 of the course: a trained encoder is taught to label: whole texts, pairs, names."""
