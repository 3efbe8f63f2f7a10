"""What books share: no game by name."""
