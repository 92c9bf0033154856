"""Tokens, cuts and languages."""
