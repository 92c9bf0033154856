"""The masked language model, from subword tokens to loss, written to be read.

Start with README.md in this folder: it names the core in reading order.
"""
