"""Momentum: zones and phases, two actions a turn, dice pools against Defense, maximum faces that roll again."""
