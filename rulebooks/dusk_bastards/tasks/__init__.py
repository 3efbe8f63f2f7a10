"""Attempts: difficulty, costs, the roll, its result and its consequences."""
