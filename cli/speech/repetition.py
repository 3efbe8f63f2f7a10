"""What a sentence says that the last line has done already: the harm of its blow, or the save that it threw.

`5 damage on Ferro` behind a blow at Ferro may be what that took; `sniper's save is 14` behind the shot that threw it.
"""

from __future__ import annotations

from collections.abc import Sequence

from cli.notation.line_parser import ParsedLine
from cli.notation.schema import fields_of
from cli.speech.earlier_lines import Earlier
from cli.speech.in_play import is_attack
from ledger.declarations import Declaration
from ledger.facts import GM
from rulebooks.common.adjustments import Adjust


def is_repetition(parsed: Sequence[ParsedLine], last: Earlier) -> bool:
    """Return whether what is said may be what the last line has done: it is asked then."""
    return any(_is_harm_of_blow(each.declaration, last) or _is_throw_of_line(each, last) for each in parsed)


def _is_harm_of_blow(said: Declaration, last: Earlier) -> bool:
    """Return whether a number is said of somebody at whom the last line struck, and of nobody else."""
    if not is_attack(type(last.said)) or is_attack(type(said)):
        return False
    if isinstance(said, Adjust):
        return said.by in _beings_of(last.said)
    about = _beings_of(said) if said.by == GM else frozenset[str]()
    has_number = any(isinstance(getattr(said, field.name), int) for field in fields_of(type(said)) if field.required)
    return has_number and bool(about) and about <= _beings_of(last.said)


def _is_throw_of_line(said: ParsedLine, last: Earlier) -> bool:
    """Return whether somebody throws with a face that is said, who threw in the last line of another."""
    by = said.declaration.by
    return (
        said.faces is not None and by != last.said.by and by in last.throwers and not is_attack(type(said.declaration))
    )


def _beings_of(said: Declaration) -> frozenset[str]:
    """Return those about whom a declaration is."""
    values = (getattr(said, field.name) for field in fields_of(type(said)) if field.has("being"))
    names = ((value,) if isinstance(value, str) else value for value in values if isinstance(value, str | tuple))
    return frozenset(name for each in names for name in each if name and isinstance(name, str))
