"""The open game: hardly a rule, for any table. Its moves, results and dice are house rules that a sheet has."""
