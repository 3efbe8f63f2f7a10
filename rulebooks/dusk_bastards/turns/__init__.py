"""Encounters: their order, slots and rounds, moves and actions."""
