"""Damage, wounds, effects, concentration and rests."""
