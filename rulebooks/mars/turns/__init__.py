"""Encounters: initiative, turns, action points, and what a turn is made of besides attacks."""
