"""Part 3 of the course: text is hidden, and the model learns to give it back."""
