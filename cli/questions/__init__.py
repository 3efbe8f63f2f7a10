"""Questions about a ledger or a book, answered with plain data. Nothing here knows of a command line."""
