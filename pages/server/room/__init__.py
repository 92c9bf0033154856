"""A class in one room: what a visit knows of it, and what is told to it."""
