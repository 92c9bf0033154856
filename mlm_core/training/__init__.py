"""A model learns: one loop for every task of the course."""
