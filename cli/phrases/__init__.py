"""What facts are called in the words of a book: patterns, and the sentences of conditions, windows and durations."""
