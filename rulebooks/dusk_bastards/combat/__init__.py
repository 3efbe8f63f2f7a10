"""Attacks, defences, reactions and spells."""
