"""What a view shows is in its link: every widget that changes a lesson is drawn here."""
