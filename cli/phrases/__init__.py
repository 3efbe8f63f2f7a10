"""Facts and the state in the words of a book."""
