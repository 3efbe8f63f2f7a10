"""What people say at a table, read as lines of the grammar."""
