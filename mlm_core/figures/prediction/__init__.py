"""Predictions, losses and pairs of sentences."""
