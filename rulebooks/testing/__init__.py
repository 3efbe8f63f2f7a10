"""A kit to test a game with: the README says how."""
