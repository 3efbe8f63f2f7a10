"""Rulings of the game master: text, scope, settings, and the ruling that each repeals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ledger.declarations import Ruling, Setting
from ledger.errors import Refused
from ledger.facts import Fact, Ruled, Sheet
from projections.state import State
from rulebooks.common.options import OPTION, SetOption, set_option
from rulebooks.common.rulebook import Rulebook
from rulebooks.common.texts import Texts


def rule(said: Ruling, state: State, book: Rulebook, *rules: str) -> Iterator[Fact]:
    """Decide a ruling: the decision with its reason, then its settings as facts of the same entry."""
    yield ruling_fact(said, state, book, *rules)
    yield from apply_settings(said.changes, said, state, book)


def ruling_fact(said: Ruling, state: State, book: Rulebook, *rules: str, sets: Sheet = ()) -> Ruled:
    """Return the decision as a fact; `sets` holds as long as the ruling does.

    Raises Refused for a missing text or reason, an unknown rule or ruling, and a lasting value that is set once.
    """
    book.check_text("text", said.text, "a ruling")
    book.check_text("reason", said.reason, "a ruling")
    for cited in said.cites:
        if cited not in book.texts.rules:
            near = ", ".join(rules_of_code(cited, book.texts))
            hint = f"The refusal of that name is by {near}: cite that." if near else "List them: campaign rules."
            raise Refused("L-RULING", f"{cited} is not a rule of this book", hint=hint)
    if said.repeals and said.repeals not in state.rulings:
        law = ", ".join(state.rulings) or "none"
        raise Refused("L-RULING", f"no ruling of {said.repeals} is in force", hint=f"There is: {law}.")
    if sets and said.scope == "once":
        raise Refused("L-RULING", f"{sets[0][0]} lacks its scope", hint="Add session or campaign.")
    return Ruled(
        rules=(*rules, *book.rules, *said.cites),
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


def apply_settings(changes: Iterable[Setting], said: Ruling, state: State, book: Rulebook) -> Iterator[Fact]:
    """Set options and values as a ruling says. Raises Refused outside their domains."""
    for change in changes:
        if change.value.startswith(OPTION):
            name = change.value.removeprefix(OPTION)
            option = SetOption(by=said.by, name=name, value=change.to, reason=said.text, agreed=said.agreed)
            yield from set_option(option, state, book)
        else:
            yield from book.values.set_value(change.value, change.to, said.text, state)


def ruling_words(entry: str, state: State) -> str:
    """Return the text of a ruling in force, with the entry that made it."""
    return f"{state.rulings[entry].text} (ruled in {entry})"


def rules_of_code(name: str, texts: Texts) -> list[str]:
    """Return the rules by which a refusal is made: `DB-E-CHARGE`, also as a person may write it: `DB-CHARGE-1`."""
    key = code_words(name)
    return [rule.id for rule in texts.content.rules if key in map(code_words, rule.codes)]


def code_words(name: str) -> tuple[str, ...]:
    """Return the words of a rule's id or of a code, without the mark of a refusal and the number."""
    return tuple(part for part in name.upper().split("-") if part != "E" and not part.isdecimal())
