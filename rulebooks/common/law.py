"""Rulings as every book takes them: what is decided, for how long, and what it repeals."""

from __future__ import annotations

from ledger.errors import Refused
from ledger.facts import Ruled
from ledger.game import Ruling
from projections.state import State
from rulebooks.common.texts import Texts


def ruled(said: Ruling, state: State, texts: Texts, *rules: str) -> Ruled:
    """The decision as a fact. Raises Refused when it cites what the book does not say, or repeals what is no law."""
    for cited in said.cites:
        if cited not in texts.rules:
            raise Refused("L-RULING", f"{cited} is no rule of this book", mend="Look: campaign rules.")
    if said.repeals and said.repeals not in state.rulings:
        law = ", ".join(state.rulings) or "none"
        raise Refused("L-RULING", f"no ruling of {said.repeals} is in force", mend=f"There is: {law}.")
    return Ruled(
        rules=(*rules, *said.cites),
        name="ruling",
        text=said.text,
        because=said.reason,
        about=said.about,
        cites=said.cites,
        scope=said.scope,
        agreed=said.agreed,
        repeals=said.repeals,
    )
