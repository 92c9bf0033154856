"""Attention, blocks and parameters."""
