"""Parts of the lesson "encoders today", in the order in which they are read."""
