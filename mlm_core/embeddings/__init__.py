"""Part 4 of the course: what a word's vector holds, in each sentence and at each layer."""
