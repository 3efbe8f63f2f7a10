"""Attacks, and the defences against them."""
