"""The exercises at the end of each lesson, checked with mlm_core."""
