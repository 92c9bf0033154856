"""For a class of learners: the trainer, stored results, files to take home."""
