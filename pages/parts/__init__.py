"""The parts of each lesson, one idea a file; its page in pages/ strings them together."""
