"""What the ledger knows of how a line is written: its tokens, so that numbers in them can be hidden."""

from __future__ import annotations

import re
from typing import Final

TOKEN: Final = re.compile(r'(?:[^\s"]|"(?:[^"\\]|\\.)*")+')
QUOTED: Final = re.compile(r'"(?:[^"\\]|\\.)*"')
FACES: Final = re.compile(r"(?:/[0-9]+(?:\.[0-9]+)*)+")
