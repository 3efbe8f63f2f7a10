"""The door: commands, the play shell, the watcher. No rule, no SQL, no arithmetic of any game."""
