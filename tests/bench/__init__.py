"""What the program costs, held against its floor in the same run. Prints figures and asserts none.

.venv/bin/python -m tests.bench            under three minutes
.venv/bin/python -m tests.bench --quick    under twenty seconds
"""
