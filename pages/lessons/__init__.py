"""The lessons, each in one folder: its rows, its parts, what it computes, its words."""
