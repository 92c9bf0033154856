"""A class in one room: learners' guesses reach the teacher's desk, without names."""
