"""Maneuvers: the table, and how they are performed."""
