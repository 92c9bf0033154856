<<<<<<< HEAD
"""Part 4 of the course: masks and sentence pairs, and the run that makes a model from text."""
=======
"""Part 3 of the course: text is hidden, and the model learns to give it back."""
>>>>>>> main
