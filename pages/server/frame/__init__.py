"""What stands around every lesson, and its parts."""
