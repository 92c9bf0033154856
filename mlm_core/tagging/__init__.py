"""Spans, tags, decoding, and scores by entity."""
