"""Tests of the open game."""
