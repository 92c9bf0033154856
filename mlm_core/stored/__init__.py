"""Results that take longer than a reader waits: stored, and read here."""
