"""The table server of `campaign serve --hands`: who sits at the table, what they may say, what each of them sees."""
