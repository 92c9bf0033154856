"""Corrupted texts and their counts."""
