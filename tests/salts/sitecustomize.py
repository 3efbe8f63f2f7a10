"""Fixes the salts of a program that a test starts with this folder in its path of modules."""

from tests.seals import fix_salts

fix_salts()
