"""What a frozen encoder knows."""
