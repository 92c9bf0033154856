"""What a part of a lesson is written with."""
