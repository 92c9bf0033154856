"""Tokens attend to each other and become vectors."""
