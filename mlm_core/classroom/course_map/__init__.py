"""What the map of the course shows."""
