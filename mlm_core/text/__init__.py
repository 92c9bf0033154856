"""Text becomes tokens."""
