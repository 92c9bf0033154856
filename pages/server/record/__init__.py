"""What a learner did, kept in the session or taken home as a file."""
