"""One training loop for every task."""
