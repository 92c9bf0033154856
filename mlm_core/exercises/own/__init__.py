"""A teacher's own questions, and the files in which they come and go."""
