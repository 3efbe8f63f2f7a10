"""A shelf: many campaigns, looked at one after the other or at once, with a row for each in a file of results."""
