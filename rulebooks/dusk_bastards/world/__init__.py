"""Distance, light and time."""
