"""Monolith: fights without a roll to hit, damage that passes hit points, Critical Damage, and the nerve of a group."""
