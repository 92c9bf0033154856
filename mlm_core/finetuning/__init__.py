"""A trained encoder learns a task: classes, answers or tags."""
