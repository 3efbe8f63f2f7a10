"""What everybody sees of a record: its facts and its line without what is hidden from the players."""
