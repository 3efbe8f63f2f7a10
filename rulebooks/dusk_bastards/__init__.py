"""Dusk Bastards: two twelve-sided dice, Might, Speed and Intellect, Dawn and Dusk, Destiny and Doom."""
