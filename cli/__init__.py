"""The command line: commands, notation, queries, rendering, playing. No rule, no SQL, no arithmetic of any game."""

import gc

gc.set_threshold(50_000)  # a short command leaves no garbage behind that is worth forty searches while it starts
