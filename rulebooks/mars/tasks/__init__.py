"""Rolls: roll values, advantage, checks and skills."""
