"""The part "exercises", which ends every lesson."""
