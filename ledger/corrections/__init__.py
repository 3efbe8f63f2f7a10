"""Corrections: amend, undo and compensate earlier entries."""
