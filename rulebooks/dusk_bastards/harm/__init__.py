"""Damage, wounds, conditions, hazards, rest and healing."""
