"""Forecasts: a fight played from here to its end, many times, by the rules themselves. Nothing is stored."""
