"""Is a difference between two models real?"""
