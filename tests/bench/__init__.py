"""Benchmarks: each figure is compared with a minimum measured in the same run. Nothing is asserted.

.venv/bin/python -m tests.bench            under five minutes
.venv/bin/python -m tests.bench --quick    under a minute
"""
