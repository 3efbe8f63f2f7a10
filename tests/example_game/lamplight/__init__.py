"""Lamplight, a small game in a package of its own: oil is spent for light, and a shade hides how strong it is."""
