"""What the model predicts at a blank, the loss of it, and whether B follows A."""
