"""Dusk Bastards: two twelve-sided dice, Might, Speed and Intellect, Dawn and Dusk, Destiny and Doom."""

from __future__ import annotations

from rulebooks.dusk_bastards.game import BOOK

__all__ = ["BOOK"]
