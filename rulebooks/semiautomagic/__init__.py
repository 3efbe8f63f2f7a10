"""Semiautomagic: what changes an attack: cover, stance, light, surprise, called shots, items and mounts."""
