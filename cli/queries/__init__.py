"""Queries: questions about a ledger or a book, answered with plain data."""
