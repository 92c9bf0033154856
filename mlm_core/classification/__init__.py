"""What a class head learned, and where it errs."""
