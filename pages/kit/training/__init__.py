"""A learner's own runs: pre-training and fine-tuning, from the settings to the files."""
