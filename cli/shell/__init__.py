"""The shell of `campaign play`: an editor for lines, and what it answers."""
