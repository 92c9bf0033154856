"""Makers of tasks that the exercises of several lessons share."""
