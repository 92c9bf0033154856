"""Commands that make what is stored in the repository."""
