"""The tally: facts in, state and values out. Arithmetic only, and no game by name."""
