"""Part 2 of the course: tokens look at each other and become vectors."""
