"""Golden vectors: what every program that checks a ledger must find, and a script that makes them from the product."""
