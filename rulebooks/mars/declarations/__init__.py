"""The declarations of MARS, and how each is written in a line.

A field's type says which values it takes, `syntax` how they are typed. Domains that a rule gives are checked where the
rule is applied, so that the refusal carries the book's own code. An empty field means: from the sheet or the state.
"""
