"""A kit to test a game with: `from rulebooks.testing import suite`. rulebooks/README.md says how."""

from rulebooks.testing.suite import suite

__all__ = ["suite"]
