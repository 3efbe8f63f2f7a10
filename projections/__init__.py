"""Projections: facts in, state out, and what is computed from the state. README.md describes the package."""
