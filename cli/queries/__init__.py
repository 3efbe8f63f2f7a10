"""Queries: what a ledger records about an entry, a rule or a value, as plain data."""
