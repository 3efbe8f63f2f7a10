"""The tests of Lamplight: the suite that every game has."""

from pathlib import Path

from rulebooks.testing import suite

suite(globals(), "lamplight", cases=Path(__file__).parent / "lamplight" / "cases.toml")
