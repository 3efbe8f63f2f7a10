"""What a text says of a session that the ledger does not know: names, numbers and deaths."""
