"""Declarations of Semiautomagic: their fields, and how a line says them.

The type of a field gives its form, `syntax` how it is typed. The domains that a rule gives are checked where the rule
is applied, so that the refusal has the rule's own code. An empty field means: the value from the sheet or the state.
"""
