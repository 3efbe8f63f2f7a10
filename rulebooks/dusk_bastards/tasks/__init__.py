"""Attempts: difficulty, costs, the roll and what it leads to."""
