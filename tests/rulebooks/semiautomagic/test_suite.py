"""The tests that every game has."""

from __future__ import annotations

from rulebooks.testing import suite

suite(globals(), "semiautomagic", gaps=44)
