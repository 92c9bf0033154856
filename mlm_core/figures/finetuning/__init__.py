"""Answers, classes and runs on few examples."""
