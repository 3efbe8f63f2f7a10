"""A whole evening at the table as one seed: phones, network, server, shell and disk, in virtual time.

The phones run their own JavaScript, the server its own Python; what lies between them is a heap of events. A seed says
who taps when, which request or answer is lost, doubled, late or replayed, when a page is loaded again or has forgotten
everything, whose link is replaced, when the server is killed and started, what the game master's shell writes and
corrects meanwhile, when the disk is full, and, where dice are shared, which page lies about its chain. The same seed is
the same evening. `python -m tests.simulation 1 200` plays the seeds 1 to 200, prints those that fail, and counts what
happened in all of them.
"""
