"""Corrections: change earlier entries and decide everything since again, or note or compensate an error."""
