"""Rendering: facts and answers as text or as JSON."""
