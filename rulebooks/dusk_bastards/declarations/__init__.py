"""The declarations of Dusk Bastards, and how each is written in a line.

A field's type says which values it takes, `syntax` how they are typed. Ranges that the book names are checked where the
book is read, so that the refusal carries the book's own code. None means: the value from the sheet or the state.
"""
