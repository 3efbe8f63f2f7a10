"""Ledgers of each format and release, kept as they were written, and read by every later version."""
