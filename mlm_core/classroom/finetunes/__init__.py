"""Stored fine-tunings, and what was measured with them."""
