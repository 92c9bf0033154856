"""The pages that are no lessons: home, look it up, concept test, teaching."""
