"""Modules that all games share. They name no game."""
