"""Monolith: fights without a roll to hit, damage that passes hit points, Critical Damage, and the nerve of a group."""

from __future__ import annotations

from rulebooks.monolith.game import BOOK

__all__ = ["BOOK"]
