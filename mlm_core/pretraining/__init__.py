"""The command that makes a model from text files."""
