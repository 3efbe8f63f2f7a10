"""Edits of entries, for corrections and what-if."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from ledger.declarations import Declaration
from ledger.records import ENCODER
from ledger.redecide import Input
from ledger.whatif import Edit

DROP: Final = Edit(input=None, outcome="drop")


def input_of(what: Declaration, *faces: int, **more: Any) -> Input:
    """Return the input of a declaration, with typed faces if there are any."""
    return Input(declaration_json=msgspec.Raw(ENCODER.encode(what)), by=what.by, line="", faces=faces or None, **more)


def replacement(what: Declaration, *faces: int, outcome: str = "retcon", **more: Any) -> Edit:
    """Return the edit that puts a declaration in the place of another."""
    return Edit(input=input_of(what, *faces, **more), outcome=outcome, in_order=True)
