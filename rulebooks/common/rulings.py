"""Rulings as every book takes them: what is decided, for how long, and what it repeals."""

from __future__ import annotations

from ledger.declarations import Ruling
from ledger.errors import Refused
from ledger.facts import Ruled, Sheet
from projections.state import State
from rulebooks.common.texts import Texts


def ruled(said: Ruling, state: State, texts: Texts, *rules: str, sets: Sheet = ()) -> Ruled:
    """The decision as a fact; `sets` hold as long as it does.

    Raises Refused when it cites what the book does not say, repeals what is no law, or is said once and is to hold.
    """
    for cited in said.cites:
        if cited not in texts.rules:
            raise Refused("L-RULING", f"{cited} is no rule of this book", hint="Look: campaign rules.")
    if said.repeals and said.repeals not in state.rulings:
        law = ", ".join(state.rulings) or "none"
        raise Refused("L-RULING", f"no ruling of {said.repeals} is in force", hint=f"There is: {law}.")
    if sets and said.scope == "once":
        raise Refused("L-RULING", f"{sets[0][0]} holds for longer", hint="Say for how long: session or campaign.")
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
        sets=sets,
    )


def in_words(entry: str, state: State) -> str:
    """What was ruled in an entry that is law, and where."""
    return f"{state.rulings[entry].text} (ruled in {entry})"
