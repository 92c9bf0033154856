"""The exercises that end this lesson."""

from pages.shared.exercises.part import show as show
