"""The tests that `campaign game check` runs: the suite of the game that check.py was asked for."""

from rulebooks.testing.check import ASKED
from rulebooks.testing.suite import suite

suite(globals(), ASKED.game, cases=ASKED.cases, kept=ASKED.kept)
