"""The append-only record of a campaign: declarations in, facts out. Generic over the game."""
