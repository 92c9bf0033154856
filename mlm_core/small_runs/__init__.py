"""An encoder small enough to train while you watch."""
