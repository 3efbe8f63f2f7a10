"""Rendering: facts and answers as text."""
