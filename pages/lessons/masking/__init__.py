"""The parts of the lesson "Masking"."""
