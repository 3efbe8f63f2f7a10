"""Peers: other programs that replay events, in environments of their own, measured in the same rounds.

.venv/bin/python -m tests.bench.peers.install     once: a virtual environment and a folder of node modules in .peers
"""
