"""A class in one room: its store, its rules, and the teacher's desk."""
