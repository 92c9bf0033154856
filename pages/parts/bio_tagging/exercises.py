"""The exercises that end this lesson."""

from pages.shared.exercises import show as show
