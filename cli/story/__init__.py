"""The story of a session, a character or a campaign: its content, and its text as a post, a chronicle or a log."""
