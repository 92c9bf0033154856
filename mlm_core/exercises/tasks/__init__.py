"""Tasks that several exercises or lessons share."""
