"""Spans, tags and their scores."""
