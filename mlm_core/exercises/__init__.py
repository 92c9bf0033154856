"""Exercises: something for the learner to do at the end of each lesson, checked with mlm_core."""
