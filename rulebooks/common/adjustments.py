"""Adjustments: one value changed by so much at the table, outside the program, with its reason."""

from collections.abc import Iterator
from typing import Annotated, ClassVar

from ledger.declarations import Declaration, syntax
from ledger.facts import GM, Fact, Ruled
from ledger.names import name_key
from projections.state import State
from rulebooks.common.rulebook import Rulebook


class Adjust(Declaration, frozen=True, kw_only=True, tag="adjust"):
    """Change a value that was settled at the table, outside the program: `k vital +1 "as we agreed"`."""

    verbs: ClassVar[tuple[str, ...]] = ("adjust",)
    alone: ClassVar[bool] = True

    value: Annotated[str, syntax(word=True)]
    change: Annotated[int, syntax(word=True)]
    reason: str


def adjust(said: Adjust, state: State, book: Rulebook) -> Iterator[Fact]:
    """Change one value, as settled at the table. Raises Refused without a reason or a change, and outside its range."""
    book.check_text("reason", said.reason, "an adjustment")
    if not said.change:
        nothing = book.outside_domain("the change", "a number other than 0, with its sign", "0")
        raise nothing.with_hint(f"Say how much it is, or only tell it: > {said.reason}")
    name = said.value if said.by == GM or "." in said.value else f"{name_key(said.by)}.{said.value}"
    yield Ruled(rules=book.rules, name="adjustment", text=said.reason, because="settled at the table", about=name)
    yield from book.values.change_value(name, said.change, said.reason, state)
