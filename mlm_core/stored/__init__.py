"""Results that take longer than a reader waits: stored, and made by one command each."""
