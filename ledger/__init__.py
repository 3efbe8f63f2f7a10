"""The ground: facts, dice, store, the table and replay. It knows that there is a game, never which."""
