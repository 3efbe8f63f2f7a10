"""Momentum: zones and phases, two actions a turn, dice pools against Defense, maximum faces that roll again."""

from __future__ import annotations

from rulebooks.momentum.game import BOOK

__all__ = ["BOOK"]
