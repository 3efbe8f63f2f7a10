"""Encounters and what is done in their turns."""
