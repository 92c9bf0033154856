"""Parts of the page beside the lessons: the textbook's numbers, questions, glossary."""
