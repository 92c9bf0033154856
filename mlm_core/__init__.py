"""The masked language model, from subword tokens to loss, written to be read.

Start with the README in this folder: it gives the reading order and the one import rule.
"""
