"""The command line: commands, notation, queries, rendering, playing. No rule, no SQL, no arithmetic of any game."""
