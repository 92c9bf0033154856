"""The command that makes a model from text files: python -m tools.pretrain."""
