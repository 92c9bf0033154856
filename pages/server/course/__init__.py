"""Which lessons there are, and the words of the app in each language."""
