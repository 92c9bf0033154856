"""Examples with labels: tables and CoNLL columns."""
