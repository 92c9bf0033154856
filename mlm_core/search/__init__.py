"""Vectors of whole sentences, trained to be compared, and search by them."""
