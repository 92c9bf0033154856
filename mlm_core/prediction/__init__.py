"""What stands at a blank, how wrong a guess is, and whether B follows A."""
