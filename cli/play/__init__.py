"""Playing: lines from a shell, a command or a file, declared one after the other."""
