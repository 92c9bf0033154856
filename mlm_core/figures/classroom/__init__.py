"""Figures for a class in one room."""
