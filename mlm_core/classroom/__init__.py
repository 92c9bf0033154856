"""What serves a class: the trainer and its tickets, stored results, files to take home."""
